/** Planes of an image with its classes: right way round, in physical proportion, with values under the cursor. */

import type { ClassMasks, GridSummary, ImageSummary, Metadata, SampleSummary, Values } from "medh5-lite";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { classesOf, fallbackColour, type LabelClass } from "../model/colours";
import { number } from "../model/format";
import { cutAxes, indexFromScreen, obliqueness, positionOf, viewOfPlane, type DisplayConvention, type GridGeometry, type PlaneView } from "../model/orientation";
import { CT_PRESETS, dragged, fullWindow, robustWindow, type DisplayWindow, type Rescale } from "../model/windowing";
import { draw, imagePicture, numbersOf, overlayPicture, screenSize, storedIndex, type ClassStyle, type StoredPlane } from "../render/plane";
import type { FileInput } from "../reader/protocol";
import { Show, useLoaded, type Ask } from "./inspect";
import { save } from "./validate";

interface Props {
  readonly file: FileInput;
  readonly sampleKey: string | undefined;
  readonly ask: Ask;
}

export function LookPanel({ file, sampleKey, ask }: Props): JSX.Element {
  const loaded = useLoaded(async () => {
    const [summary, meta] = await Promise.all([ask("summary", {}), ask("meta", {})]);
    return { summary, meta };
  }, [file, sampleKey]);
  return (
    <section aria-label={`Images of ${file.name}`}>
      <Show of={loaded}>
        {({ summary, meta }) =>
          "samples" in summary ? <p>Choose a sample of the collection first.</p> : <Viewer key={`${file.name}:${sampleKey}`} summary={summary} meta={meta} ask={ask} />
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

function Viewer({ summary, meta, ask }: { readonly summary: SampleSummary; readonly meta: Metadata; readonly ask: Ask }): JSX.Element {
  const [imageId, setImageId] = useState(summary.images[0]?.id ?? "");
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
      <Planes key={imageId} image={image} grid={grid} geometry={geometry} summary={summary} meta={meta} ask={ask} />
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
}

const VOXEL_KINDS = ["labelmap", "layers", "bitmask", "instances", "probmap", "mask"];

function Planes({ image, grid, geometry, summary, meta, ask }: PlanesProps): JSX.Element {
  const is3d = geometry.shape.length === 3;
  const axes = useMemo(() => (is3d ? cutAxes(geometry) : [0]), [geometry, is3d]);
  const [place, setPlace] = useState(() => geometry.shape.map((extent) => Math.floor(extent / 2)));
  const [outer, setOuter] = useState(() => outerExtents(grid).map(() => 0));
  const [level, setLevel] = useState(0);
  const [convention, setConvention] = useState<DisplayConvention>({ radiological: true, noseLeft: false });
  const [shown, setShown] = useState<"all" | number>(is3d ? "all" : 0);
  const [range, setRange] = useState<DisplayWindow | undefined>(image.window ? { center: image.window[0], width: image.window[1] } : undefined);
  const [inverted, setInverted] = useState(false);
  const [annotationId, setAnnotationId] = useState("");
  const [opacity, setOpacity] = useState(0.4);
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set());
  const [search, setSearch] = useState("");
  const [cursor, setCursor] = useState<readonly number[] | undefined>();
  const [value, setValue] = useState<number | undefined>();
  const [atCursor, setAtCursor] = useState<readonly number[]>([]);
  const rescale: Rescale = { slope: image.rescale[0], intercept: image.rescale[1] };
  const isCt = image.modality === "CT";
  const annotations = summary.annotations.filter(({ kind, grid: name }) => VOXEL_KINDS.includes(kind ?? "") && name === image.grid);
  const annotation = annotations.find(({ id }) => id === annotationId);
  const classes = useMemo(() => classesFor(meta, annotation?.id), [meta, annotation?.id]);
  const notExamined = useMemo(() => unexamined(meta, annotation?.id), [meta, annotation?.id]);
  const styles = useMemo(() => new Map<number, ClassStyle>(classes.map(({ id, colour }) => [id, { colour, opacity: hidden.has(id) ? 0 : opacity }])), [classes, hidden, opacity]);
  const index = useLoaded(() => (annotation ? ask("index", {}) : Promise.resolve([])), [annotation?.id]);
  const keys = (event: KeyboardEvent): void => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    const preset = isCt ? CT_PRESETS[Number(event.key) - 1] : undefined;
    if (preset) setRange(preset);
    else if (event.key === "i") setInverted(!inverted);
    else if (event.key === "r") setRange(image.window ? { center: image.window[0], width: image.window[1] } : undefined);
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
  const position = cursor && positionOf(geometry, cursor);
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
        {image.levels > 1 && (
          <label>
            Level{" "}
            <select value={level} onChange={(event) => setLevel(Number(event.currentTarget.value))}>
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
      <div class="planes">
        {axes
          .filter((axis) => shown === "all" || shown === axis)
          .map((axis) => (
            <Plane
              key={axis}
              {...{ image, geometry, ask, rescale, range, inverted, styles, place, setPlace, level, outer }}
              view={viewOfPlane(geometry, axis, convention)}
              annotation={annotation?.id}
              onWindow={setRange}
              onHover={(voxel, stored, inside) => {
                setCursor(voxel);
                setValue(stored);
                setAtCursor(inside);
              }}
            />
          ))}
      </div>
      <p class="readout" aria-live="off">
        {cursor ? (
          <>
            voxel [{cursor.map((at) => Math.round(at)).join(", ")}]
            {position && ` · LPS ${position.lps.map((at) => at.toFixed(1)).join(", ")} · RAS ${position.ras.map((at) => at.toFixed(1)).join(", ")} ${geometry.units}`}
            {value !== undefined && ` · stored ${number(value)}`}
            {value !== undefined && ` · value ${number(value * rescale.slope + rescale.intercept)} ${image.value_units ?? ""}`}
            {atCursor.length > 0 && ` · ${atCursor.map((id) => classes.find((one) => one.id === id)?.name ?? id).join(", ")}`}
          </>
        ) : (
          "Move over a plane to read values. Wheel or arrow keys turn pages; drag sets the window; click moves the crosshair; 1–7 CT windows, i inverts, r resets, o hides classes."
        )}
      </p>
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
          <ul class="columns">
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
                  </button>
                </li>
              ))}
          </ul>
        </fieldset>
      )}
    </div>
  );
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

interface PlaneProps {
  readonly image: ImageSummary;
  readonly geometry: GridGeometry;
  readonly view: PlaneView;
  readonly ask: Ask;
  readonly rescale: Rescale;
  readonly range: DisplayWindow | undefined;
  readonly inverted: boolean;
  readonly styles: ReadonlyMap<number, ClassStyle>;
  readonly annotation: string | undefined;
  readonly place: readonly number[];
  readonly setPlace: (place: number[]) => void;
  readonly level: number;
  readonly outer: readonly number[];
  readonly onWindow: (window: DisplayWindow) => void;
  readonly onHover: (voxel: readonly number[] | undefined, stored: number | undefined, classes: readonly number[]) => void;
}

const LONGEST_SIDE = 380;

function Plane(props: PlaneProps): JSX.Element {
  const { image, geometry, view, ask, rescale, range, inverted, styles, annotation, place, setPlace, level, outer, onWindow, onHover } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const drag = useRef<{ x: number; y: number; window: DisplayWindow; moved: boolean } | undefined>();
  const is3d = geometry.shape.length === 3;
  const at = place[view.cut] ?? 0;
  const scaled = level === 0 ? at : undefined;
  const values = useLoaded<Values>(() => ask("slice", { image: image.id, axis: view.cut, index: scaled ?? Math.floor(at / 2 ** level), level, outer: [...outer] }), [image.id, view.cut, at, level, outer.join()]);
  const masks = useLoaded<ClassMasks | undefined>(() => {
    if (annotation === undefined || level !== 0) return Promise.resolve(undefined);
    const start = geometry.shape.map((_, axis) => (is3d && axis === view.cut ? at : 0));
    const shape = geometry.shape.map((extent, axis) => (is3d && axis === view.cut ? 1 : extent));
    return ask("masks", { annotation, start, shape });
  }, [annotation, view.cut, at, level]);
  const [rowAxis = 0, columnAxis = 1] = geometry.shape.map((_, axis) => axis).filter((axis) => !is3d || axis !== view.cut);
  const data = values && "value" in values ? values.value : undefined;
  const plane: StoredPlane = { rows: data?.shape.at(-2) ?? geometry.shape[rowAxis] ?? 1, columns: data?.shape.at(-1) ?? geometry.shape[columnAxis] ?? 1, rowAxis, columnAxis };
  const lengths = [(geometry.shape[view.across] ?? 1) * (geometry.spacing[view.across] ?? 1), (geometry.shape[view.down] ?? 1) * (geometry.spacing[view.down] ?? 1)] as const;
  const scale = LONGEST_SIDE / Math.max(...lengths);
  const [width, height] = [Math.max(8, lengths[0] * scale), Math.max(8, lengths[1] * scale)];
  const window = range ?? (data ? (image.value_type === "probability" || image.value_type === "mask" ? { center: 0.5, width: 1 } : automatic(data, rescale)) : { center: 0, width: 1 });
  useEffect(() => {
    if (!canvas.current || !data) return;
    const pictures = [imagePicture(view, plane, data, rescale, window, inverted)];
    if (masks && "value" in masks && masks.value) pictures.push(overlayPicture(view, plane, masks.value, styles));
    draw(canvas.current, pictures, width, height);
  });
  const voxelAt = (event: MouseEvent): { voxel: number[]; x: number; y: number } => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const [columns, rows] = [geometry.shape[view.across] ?? 1, geometry.shape[view.down] ?? 1];
    const x = Math.min(columns - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * columns)));
    const y = Math.min(rows - 1, Math.max(0, Math.floor(((event.clientY - box.top) / box.height) * rows)));
    return { voxel: indexFromScreen(geometry, view, at, x, y), x, y };
  };
  const turn = (by: number): void => {
    if (!is3d) return;
    const next = [...place];
    next[view.cut] = Math.min((geometry.shape[view.cut] ?? 1) - 1, Math.max(0, at + by));
    setPlace(next);
  };
  const hover = (event: MouseEvent): void => {
    if (drag.current && event.buttons === 1) {
      const [dx, dy] = [event.clientX - drag.current.x, event.clientY - drag.current.y];
      if (Math.abs(dx) + Math.abs(dy) > 3) {
        drag.current.moved = true;
        onWindow(dragged(drag.current.window, dx, dy));
      }
      return;
    }
    const { voxel, x, y } = voxelAt(event);
    if (!data || level !== 0) return onHover(voxel, undefined, []);
    const from = storedIndex(view, plane)(x, y);
    const overlay = masks && "value" in masks ? masks.value : undefined;
    const size = plane.rows * plane.columns;
    onHover(voxel, numbersOf(data)[from], overlay?.classIds.filter((_, at) => overlay.masks[at * size + from] === 1) ?? []);
  };
  const [screenWidth, screenHeight] = screenSize(view, plane);
  const cross = crosshair(geometry, view, place);
  const letters = view.letters;
  return (
    <figure class="plane">
      <figcaption>
        {view.name}
        {is3d ? ` ${at + 1} of ${geometry.shape[view.cut] ?? 1}` : ""}
        {values && "error" in values ? <span role="alert"> {values.error}</span> : null}
      </figcaption>
      <div
        class="stage"
        style={{ width: `${width}px`, height: `${height}px` }}
        tabIndex={0}
        role="slider"
        aria-label={`${view.name} plane`}
        aria-valuemin={1}
        aria-valuemax={geometry.shape[view.cut] ?? 1}
        aria-valuenow={at + 1}
        onWheel={(event) => {
          event.preventDefault();
          turn(event.deltaY > 0 ? 1 : -1);
        }}
        onKeyDown={(event) => {
          const by = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity }[event.key];
          if (by === undefined) return;
          event.preventDefault();
          turn(Number.isFinite(by) ? by : by < 0 ? -at : geometry.shape[view.cut] ?? 0);
        }}
        onMouseDown={(event) => {
          drag.current = { x: event.clientX, y: event.clientY, window, moved: false };
        }}
        onMouseUp={(event) => {
          if (drag.current && !drag.current.moved && is3d) setPlace(voxelAt(event).voxel.map(Math.round));
          drag.current = undefined;
        }}
        onMouseMove={hover}
        onMouseLeave={() => onHover(undefined, undefined, [])}
        data-letters={letters ? `${letters.left}${letters.right}${letters.top}${letters.bottom}` : ""}
        data-pixels={`${screenWidth}x${screenHeight}`}
      >
        <canvas ref={canvas} aria-hidden="true" />
        {is3d && <span class="cross vertical" style={{ left: `${cross.x * 100}%` }} />}
        {is3d && <span class="cross horizontal" style={{ top: `${cross.y * 100}%` }} />}
        {letters && (
          <>
            <span class="letter left">{letters.left}</span>
            <span class="letter right">{letters.right}</span>
            <span class="letter top">{letters.top}</span>
            <span class="letter bottom">{letters.bottom}</span>
          </>
        )}
        <ScaleBar length={lengths[0]} width={width} units={geometry.units} />
      </div>
      {is3d && <input type="range" aria-label={`${view.name} position`} min={0} max={(geometry.shape[view.cut] ?? 1) - 1} value={at} onInput={(event) => turn(Number(event.currentTarget.value) - at)} />}
      <button class="plain link" onClick={() => canvas.current?.toBlob((blob) => blob && save(`${image.id}-${view.name}-${at}.png`, "image/png", blob))}>
        PNG
      </button>
    </figure>
  );
}

function automatic(data: Values, rescale: Rescale): DisplayWindow {
  const values = numbersOf(data);
  const robust = robustWindow(values, rescale);
  return robust.width > 1e-9 ? robust : fullWindow(values, rescale);
}

/** Where the other planes cross this one, as parts of its width and height. */
function crosshair(geometry: GridGeometry, view: PlaneView, place: readonly number[]): { x: number; y: number } {
  const part = (axis: number, reversed: boolean): number => {
    const extent = geometry.shape[axis] ?? 1;
    const at = ((place[axis] ?? 0) + 0.5) / extent;
    return reversed ? 1 - at : at;
  };
  return { x: part(view.across, view.acrossReversed), y: part(view.down, view.downReversed) };
}

/** A bar of a round length, at most a third of the plane. */
function ScaleBar({ length, width, units }: { readonly length: number; readonly width: number; readonly units: string }): JSX.Element {
  const most = length / 3;
  const power = 10 ** Math.floor(Math.log10(most));
  const round = [5, 2, 1].map((step) => step * power).find((step) => step <= most) ?? power;
  return (
    <span class="scale" style={{ width: `${(round / length) * width}px` }}>
      {number(round)} {units}
    </span>
  );
}
