/** Planes of an image with its classes: right way round, in physical proportion, with values under the cursor. */

import type { GridSummary, ImageSummary, Metadata, SampleSummary, Shape } from "medh5-lite";
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { classesOf, fallbackColour, type LabelClass } from "../model/colours";
import { number, tenths } from "../model/format";
import { cutAxes, obliqueness, positionOf, viewOfPlane, type DisplayConvention, type GridGeometry } from "../model/orientation";
import { CT_PRESETS, type DisplayWindow, type Rescale } from "../model/windowing";
import type { ClassStyle } from "../render/plane";
import type { FileInput } from "../reader/protocol";
import { Show, useLoaded, type Ask, type Loaded, type Target } from "./inspect";
import { Plane, type Hover } from "./plane";
import { SHAPE_KINDS, ShapeList, useShapes, type ShownShapes } from "./shapes";

interface Props {
  readonly file: FileInput;
  readonly sampleKey: string | undefined;
  readonly ask: Ask;
  /** Where to look first. */
  readonly target: Target | undefined;
}

export function LookPanel({ file, sampleKey, ask, target }: Props): JSX.Element {
  const loaded = useLoaded(async () => {
    const [summary, meta] = await Promise.all([ask("summary", {}), ask("meta", {})]);
    return { summary, meta };
  }, [file, sampleKey]);
  return (
    <section aria-label={`Images of ${file.name}`}>
      <Show of={loaded}>
        {({ summary, meta }) =>
          "samples" in summary ? <p>Choose a sample of the collection first.</p> : <Viewer key={`${file.name}:${sampleKey}`} summary={summary} meta={meta} ask={ask} target={target} />
        }
      </Show>
      <p class="faint">Not for diagnosis. Planes are shown voxel by voxel, without interpolation.</p>
    </section>
  );
}

/** The spatial part of a grid; `undefined` for one that is not described well enough to be shown. */
export function geometryOf(grid: GridSummary | undefined): GridGeometry | undefined {
  if (!grid?.shape || !grid.spacing || !grid.origin || !grid.direction) return undefined;
  const shape = grid.shape.filter((_, axis) => grid.axis_kinds[axis] === "spatial");
  if (shape.length !== grid.spacing.length) return undefined;
  return { shape, spacing: grid.spacing, origin: grid.origin, direction: grid.direction, coordSystem: grid.coord_system ?? "", units: grid.units ?? "" };
}

/** Extents of the axes that are neither spatial nor of channels, such as time. */
function outerExtents(grid: GridSummary): number[] {
  return (grid.shape ?? []).filter((_, axis) => !["spatial", "channel"].includes(grid.axis_kinds[axis] ?? ""));
}

function Viewer({ summary, meta, ask, target }: { readonly summary: SampleSummary; readonly meta: Metadata; readonly ask: Ask; readonly target: Target | undefined }): JSX.Element {
  const wanted = summary.annotations.find(({ id }) => id === target?.annotation)?.grid;
  const [imageId, setImageId] = useState((summary.images.find(({ grid }) => grid !== null && grid === wanted) ?? summary.images[0])?.id ?? "");
  const image = summary.images.find(({ id }) => id === imageId);
  const grid = summary.grids.find(({ id }) => id === image?.grid);
  const geometry = geometryOf(grid);
  if (!image) return <p>This sample has no image.</p>;
  if (!grid || !geometry) return <p role="alert">The grid of {image.id} is not described well enough to show its planes.</p>;
  return (
    <>
      <label>
        Image{" "}
        <select value={imageId} onChange={(event) => setImageId(event.currentTarget.value)}>
          {summary.images.map(({ id, modality }) => (
            <option key={id} value={id}>
              {id} {modality}
            </option>
          ))}
        </select>
      </label>
      <Planes key={imageId} image={image} grid={grid} geometry={geometry} summary={summary} meta={meta} ask={ask} target={image.grid === wanted ? target : undefined} />
    </>
  );
}

interface PlanesProps {
  readonly image: ImageSummary;
  readonly grid: GridSummary;
  readonly geometry: GridGeometry;
  readonly summary: SampleSummary;
  readonly meta: Metadata;
  readonly ask: Ask;
  readonly target: Target | undefined;
}

/** Beyond this a voxel fills the screen. */
const MOST_ZOOM = 16;

const VOXEL_KINDS = ["labelmap", "layers", "bitmask", "instances", "probmap", "mask"];

function Planes({ image, grid, geometry, summary, meta, ask, target }: PlanesProps): JSX.Element {
  const is3d = geometry.shape.length === 3;
  const axes = useMemo(() => (is3d ? cutAxes(geometry) : [0]), [geometry, is3d]);
  const [place, setPlace] = useState(() => (target?.voxel.length === geometry.shape.length ? [...target.voxel] : geometry.shape.map((extent) => Math.floor(extent / 2))));
  const [outer, setOuter] = useState(() => outerExtents(grid).map(() => 0));
  const [level, setLevel] = useState<number | undefined>();
  const [zoom, setZoom] = useState(1);
  const [showsCross, setCross] = useState(true);
  const [convention, setConvention] = useState<DisplayConvention>({ radiological: true, noseLeft: false });
  const [shown, setShown] = useState<"all" | number>(is3d ? "all" : 0);
  const [range, setRange] = useState<DisplayWindow | undefined>(image.window ? { center: image.window[0], width: image.window[1] } : undefined);
  const [inverted, setInverted] = useState(false);
  const [annotationId, setAnnotationId] = useState(target?.annotation ?? "");
  const channels = grid.shape?.[grid.axis_kinds.indexOf("channel")] ?? 1;
  const [channel, setChannel] = useState<number | "rgb">(image.value_type === "rgb" && channels === 3 ? "rgb" : 0);
  const [strengths, setStrengths] = useState<ReadonlyMap<number, number>>(new Map());
  const [opacity, setOpacity] = useState(0.4);
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set());
  const [search, setSearch] = useState("");
  const [hover, setHover] = useState<Hover | undefined>();
  const [listed, setListed] = useState<ReadonlyMap<string, readonly Shape[]>>(new Map());
  const rescale: Rescale = { slope: image.rescale[0], intercept: image.rescale[1] };
  const isCt = image.modality === "CT";
  const annotations = summary.annotations.filter(({ kind, grid: name }) => VOXEL_KINDS.includes(kind ?? "") && name === image.grid);
  const annotation = annotations.find(({ id }) => id === annotationId);
  const classes = useMemo(() => classesFor(meta, annotation?.id), [meta, annotation?.id]);
  const notExamined = useMemo(() => unexamined(meta, annotation?.id), [meta, annotation?.id]);
  const styles = useMemo(() => new Map<number, ClassStyle>(classes.map(({ id, colour }) => [id, { colour, opacity: hidden.has(id) ? 0 : opacity * (strengths.get(id) ?? 1) }])), [classes, hidden, opacity, strengths]);
  const index = useLoaded(() => (annotation ? ask("index", {}) : Promise.resolve([])), [annotation?.id]);
  const drawable = summary.annotations.filter(({ kind }) => SHAPE_KINDS.includes(kind ?? ""));
  const labelClasses = useMemo(() => classesOf(meta.document), [meta]);
  const shapes: ShownShapes[] = drawable.flatMap(({ id }) => {
    const list = listed.get(id);
    return list && list.length > 0 ? [{ annotation: id, shapes: list }] : [];
  });
  const keys = (event: KeyboardEvent): void => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    const preset = isCt ? CT_PRESETS[Number(event.key) - 1] : undefined;
    if (preset) setRange(preset);
    else if (event.key === "i") setInverted(!inverted);
    else if (event.key === "r") setRange(image.window ? { center: image.window[0], width: image.window[1] } : undefined);
    else if (event.key === "+" || event.key === "=") setZoom(Math.min(MOST_ZOOM, zoom * 2));
    else if (event.key === "-") setZoom(Math.max(1, zoom / 2));
    else if (event.key === "f") setZoom(1);
    else if (event.key === "x") setCross(!showsCross);
    else if (event.key === "o") setOpacity(opacity === 0 ? 0.4 : 0);
    else if (event.key === "[") setOpacity(Math.max(0, opacity - 0.1));
    else if (event.key === "]") setOpacity(Math.min(1, opacity + 0.1));
    else return;
    event.preventDefault();
  };
  const jump = (classId: number): void => {
    const entry = index && "value" in index ? index.value.find(({ annotation: name }) => name === annotationId) : undefined;
    const box = entry?.classes.find(({ class_id }) => class_id === classId)?.bounding_box;
    if (box) setPlace(box.map(([low, high]) => Math.round((low + high) / 2)));
  };
  const position = hover && positionOf(geometry, hover.voxel);
  const ignore = annotation?.ignore_mask;
  const tilt = obliqueness(geometry);
  return (
    <div onKeyDown={keys}>
      <div class="bar">
        {outer.map((at, axis) => (
          <label key={axis}>
            {axis === 0 ? "Frame" : `Axis ${axis}`}{" "}
            <input
              type="range"
              min={0}
              max={(outerExtents(grid)[axis] ?? 1) - 1}
              value={at}
              onInput={(event) => setOuter(outer.map((old, other) => (other === axis ? Number(event.currentTarget.value) : old)))}
            />{" "}
            {at}
          </label>
        ))}
        {channels > 1 && (
          <label>
            Channel{" "}
            <select value={String(channel)} onChange={(event) => setChannel(event.currentTarget.value === "rgb" ? "rgb" : Number(event.currentTarget.value))}>
              {channels === 3 && <option value="rgb">red, green, blue</option>}
              {Array.from({ length: channels }, (_, at) => (
                <option key={at} value={at}>
                  {image.channel_names?.[at] ?? at}
                </option>
              ))}
            </select>
          </label>
        )}
        {image.levels > 1 && (
          <label>
            Level{" "}
            <select value={level ?? "auto"} onChange={(event) => setLevel(event.currentTarget.value === "auto" ? undefined : Number(event.currentTarget.value))}>
              <option value="auto">by zoom</option>
              {Array.from({ length: image.levels }, (_, at) => (
                <option key={at}>{at}</option>
              ))}
            </select>
          </label>
        )}
        <label>
          Window{" "}
          <select
            value=""
            onChange={(event) => {
              const chosen = event.currentTarget.value;
              const preset = CT_PRESETS.find(({ name }) => name === chosen);
              setRange(preset ?? (chosen === "file" && image.window ? { center: image.window[0], width: image.window[1] } : undefined));
              event.currentTarget.value = "";
            }}
          >
            <option value="">{range ? `centre ${number(range.center, 4)}, width ${number(range.width, 4)}` : "automatic"}</option>
            <option value="robust">automatic</option>
            {image.window && <option value="file">as the file says</option>}
            {isCt && CT_PRESETS.map(({ name }, at) => <option key={name} value={name}>{`${at + 1} ${name}`}</option>)}
          </select>
        </label>
        <span class="group" role="group" aria-label="Zoom">
          <button aria-label="smaller" disabled={zoom <= 1} onClick={() => setZoom(Math.max(1, zoom / 2))}>
            −
          </button>{" "}
          {zoom}×{" "}
          <button aria-label="larger" disabled={zoom >= MOST_ZOOM} onClick={() => setZoom(Math.min(MOST_ZOOM, zoom * 2))}>
            +
          </button>
        </span>
        <label>
          <input type="checkbox" checked={inverted} onChange={() => setInverted(!inverted)} /> invert
        </label>
        {is3d && (
          <label>
            Planes{" "}
            <select value={String(shown)} onChange={(event) => setShown(event.currentTarget.value === "all" ? "all" : Number(event.currentTarget.value))}>
              <option value="all">all three</option>
              {axes.map((axis) => (
                <option key={axis} value={axis}>
                  {viewOfPlane(geometry, axis, convention).name}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          <input type="checkbox" checked={convention.radiological} onChange={() => setConvention({ ...convention, radiological: !convention.radiological })} /> radiological (patient's right on the left)
        </label>
        <label>
          <input type="checkbox" checked={convention.noseLeft} onChange={() => setConvention({ ...convention, noseLeft: !convention.noseLeft })} /> nose to the left
        </label>
        <label>
          Classes{" "}
          <select value={annotationId} onChange={(event) => setAnnotationId(event.currentTarget.value)}>
            <option value="">none</option>
            {annotations.map(({ id, kind }) => (
              <option key={id} value={id}>
                {id} ({kind})
              </option>
            ))}
          </select>
        </label>
        {annotation && (
          <label>
            Opacity <input type="range" min={0} max={1} step={0.05} value={opacity} onInput={(event) => setOpacity(Number(event.currentTarget.value))} />
          </label>
        )}
      </div>
      {tilt > 0 && <p class="badge">oblique by {tilt.toFixed(1)}°: letters name the nearest direction</p>}
      {!positionOf(geometry, place) && <p class="badge">no letters: this grid has no place in the body ({geometry.units || "no units"}, {geometry.coordSystem || "no coordinate system"})</p>}
      {notExamined.size > 0 && (
        <p class="badge">
          not examined in {annotation?.id}: {classes.filter(({ id }) => notExamined.has(id)).map(({ name }) => name).join(", ")}. That they are not shown means nothing.
        </p>
      )}
      {ignore !== undefined && <p class="badge">hatched: {ignore} says that {annotation?.id} is to be ignored there</p>}
      {image.valid_mask !== undefined && <p class="badge">dimmed: outside {image.valid_mask} nothing was measured</p>}
      <div class="planes">
        {axes
          .filter((axis) => shown === "all" || shown === axis)
          .map((axis) => (
            <Plane
              key={axis}
              {...{ image, geometry, ask, rescale, range, inverted, styles, place, setPlace, level, zoom, showsCross, outer, channel, shapes, labelClasses, hidden }}
              view={viewOfPlane(geometry, axis, convention)}
              annotation={annotation?.id}
              onWindow={setRange}
              onHover={setHover}
            />
          ))}
      </div>
      <p class="readout" aria-live={hover?.isCross ? "polite" : "off"}>
        {hover ? (
          <>
            voxel [{hover.voxel.map((at) => Math.round(at)).join(", ")}]
            {position && ` · LPS ${position.lps.map(tenths).join(", ")} · RAS ${position.ras.map(tenths).join(", ")} ${geometry.units}`}
            {hover.stored.length > 0 && ` · stored ${hover.stored.map((one) => number(one)).join(", ")}`}
            {hover.stored.length > 0 && ` · value ${hover.stored.map((one) => number(one * rescale.slope + rescale.intercept)).join(", ")} ${image.value_units ?? ""}`}
            {hover.level > 0 && ` (level ${hover.level})`}
            {hover.classes.length > 0 && ` · ${hover.classes.map((id) => classes.find((one) => one.id === id)?.name ?? id).join(", ")}`}
            {hover.isIgnored && " · to be ignored"}
          </>
        ) : (
          "Move over a plane, or go to it with Tab, to read values. Wheel or arrow keys turn pages; click, or Shift and arrow keys, moves the crosshair; drag, or w W b B, sets the window; + and − zoom, f fits, x hides the crosshair; 1–7 CT windows, i inverts, r resets, o hides classes, [ and ] their opacity."
        )}
      </p>
      {drawable.length > 0 && (
        <fieldset>
          <legend>Boxes, points and curves</legend>
          <ul class="plain-list">
            {drawable.map((one) => (
              <Drawable key={one.id} annotation={one} image={image.id} ask={ask} classes={labelClasses} onList={(list) => setListed((old) => new Map(old).set(one.id, list))} onGo={(center) => setPlace(center.map((at, axis) => Math.min((geometry.shape[axis] ?? 1) - 1, Math.max(0, Math.round(at)))))} />
            ))}
          </ul>
        </fieldset>
      )}
      {annotation && classes.length > 0 && (
        <fieldset>
          <legend>Classes of {annotation.id}</legend>
          {classes.length > 10 && (
            <label>
              Search <input type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
            </label>
          )}
          <button onClick={() => setHidden(new Set())}>show all</button>
          <button onClick={() => setHidden(new Set(classes.map(({ id }) => id)))}>hide all</button>
          <ul class="columns classes">
            {classes
              .filter(({ name, key }) => `${name} ${key}`.toLowerCase().includes(search.toLowerCase()))
              .map(({ id, name, colour }) => (
                <li key={id}>
                  <label>
                    <input type="checkbox" checked={!hidden.has(id)} onChange={() => setHidden(toggled(hidden, id))} /> <span class="swatch" style={{ background: `rgb(${colour.join(",")})` }} /> {id} {name}
                  </label>
                  {notExamined.has(id) ? <em class="faint"> not examined</em> : null}{" "}
                  <button class="plain link" onClick={() => setHidden(new Set(classes.filter((one) => one.id !== id).map((one) => one.id)))}>
                    solo
                  </button>{" "}
                  <button class="plain link" onClick={() => jump(id)}>
                    go to
                  </button>{" "}
                  <input type="range" class="strength" aria-label={`opacity of ${name}`} min={0} max={1} step={0.1} value={strengths.get(id) ?? 1} onInput={(event) => setStrengths(new Map(strengths).set(id, Number(event.currentTarget.value)))} />
                </li>
              ))}
          </ul>
        </fieldset>
      )}
    </div>
  );
}

/** An annotation of shapes; what is shown of it is handed up when it is there. */
function Drawable({ annotation, image, ask, classes, onList, onGo }: { readonly annotation: SampleSummary["annotations"][number]; readonly image: string; readonly ask: Ask; readonly classes: readonly LabelClass[]; readonly onList: (list: readonly Shape[]) => void; readonly onGo: (center: readonly number[]) => void }): JSX.Element {
  const [isShown, setShown] = useState(true);
  const shapes: Loaded<Shape[]> = useShapes(ask, annotation.id, image);
  useEffect(() => onList(isShown && shapes && "value" in shapes ? shapes.value : []), [isShown, shapes]);
  return <ShapeList {...{ annotation, shapes, classes, isShown, onGo }} onShow={setShown} />;
}

function toggled(set: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}

function idsIn(meta: Metadata, annotation: string | undefined, attribute: string): number[] {
  const value = annotation === undefined ? undefined : meta.annotations[annotation]?.attributes[attribute];
  return Array.isArray(value) ? value.filter((id) => typeof id === "number") : [];
}

/** The classes that an annotation declares, named and coloured; a mask has the one class 1. */
function classesFor(meta: Metadata, annotation: string | undefined): LabelClass[] {
  if (annotation === undefined) return [];
  const known = classesOf(meta.document);
  const ids = meta.annotations[annotation]?.attributes["kind"] === "mask" ? [1] : idsIn(meta, annotation, "class_ids");
  return ids.map((id) => known.find((one) => one.id === id) ?? { id, key: String(id), name: ids.length === 1 ? annotation : `class ${id}`, colour: fallbackColour(id) });
}

/** Classes that are declared, but that nobody looked for: their absence means nothing. */
function unexamined(meta: Metadata, annotation: string | undefined): ReadonlySet<number> {
  const examined = new Set(idsIn(meta, annotation, "annotated_class_ids"));
  return new Set(idsIn(meta, annotation, "class_ids").filter((id) => !examined.has(id)));
}
