/** One plane of an image: picture, classes, masks, shapes, crosshair, letters and scale; values under the cursor. */

import type { ClassMasks, ImageSummary, Values } from "medh5-lite";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { LabelClass } from "../model/colours";
import { number } from "../model/format";
import { indexFromScreen, type GridGeometry, type PlaneView } from "../model/orientation";
import { axesOfPlane, levelForScreen, placeInLevel } from "../model/shapes";
import { dragged, fullWindow, robustWindow, type DisplayWindow, type Rescale } from "../model/windowing";
import { dimmedPicture, hatchedPicture } from "../render/masks";
import { snapshot } from "../render/snapshot";
import { draw, imagePicture, numbersOf, overlayPicture, storedIndex, type ClassStyle, type Picture, type StoredPlane } from "../render/plane";
import { useLoaded, type Ask } from "./inspect";
import { DrawnShapes, type ShownShapes } from "./shapes";
import { save } from "./validate";

/** What is under the cursor. */
export interface Hover {
  readonly voxel: readonly number[];
  /** The stored values, one per channel that is shown, and the level of the pyramid that they are of. */
  readonly stored: readonly number[];
  readonly level: number;
  readonly classes: readonly number[];
  readonly isIgnored: boolean;
  /** Read at the crosshair, by keyboard. */
  readonly isCross: boolean;
}

interface Props {
  readonly image: ImageSummary;
  readonly geometry: GridGeometry;
  readonly view: PlaneView;
  readonly ask: Ask;
  readonly rescale: Rescale;
  readonly range: DisplayWindow | undefined;
  readonly inverted: boolean;
  readonly styles: ReadonlyMap<number, ClassStyle>;
  readonly annotation: string | undefined;
  readonly shapes: readonly ShownShapes[];
  readonly labelClasses: readonly LabelClass[];
  readonly hidden: ReadonlySet<number>;
  readonly place: readonly number[];
  readonly setPlace: (place: number[]) => void;
  /** `undefined`: by zoom. */
  readonly level: number | undefined;
  readonly zoom: number;
  readonly showsCross: boolean;
  readonly outer: readonly number[];
  /** The channel that is shown; all three of an image in colour. */
  readonly channel: number | "rgb";
  readonly onWindow: (window: DisplayWindow) => void;
  readonly onHover: (hover: Hover | undefined) => void;
}

const LONGEST_SIDE = 380;
/** A canvas beyond this costs more memory than it shows. */
const LARGEST_CANVAS = 2048;
/** Masks of larger planes are not read. */
const MOST_MASKED_VOXELS = 16_000_000;

/** The extents of the spatial axes of each level. */
function levelsOf(image: ImageSummary, geometry: GridGeometry): readonly (readonly number[])[] {
  const rank = geometry.shape.length;
  const shapes = image.level_shapes?.map((shape) => shape.slice(-rank)) ?? [];
  return shapes.length > 1 ? shapes : [geometry.shape];
}

export function Plane(props: Props): JSX.Element {
  const { image, geometry, view, ask, rescale, range, inverted, styles, annotation, shapes, labelClasses, hidden, place, setPlace, zoom, showsCross, outer, channel, onWindow, onHover } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const pointer = useRef<{ parts: [number, number]; voxel: readonly number[] } | undefined>();
  const drag = useRef<{ x: number; y: number; window: DisplayWindow; moved: boolean } | undefined>();
  const is3d = geometry.shape.length === 3;
  const at = place[view.cut] ?? 0;
  const [rowAxis, columnAxis] = axesOfPlane(geometry, view.cut);
  const lengths = [(geometry.shape[view.across] ?? 1) * (geometry.spacing[view.across] ?? 1), (geometry.shape[view.down] ?? 1) * (geometry.spacing[view.down] ?? 1)] as const;
  const scale = (LONGEST_SIDE / Math.max(...lengths)) * zoom;
  const [width, height] = [Math.max(8, lengths[0] * scale), Math.max(8, lengths[1] * scale)];
  const levels = levelsOf(image, geometry);
  const density = typeof devicePixelRatio === "number" ? devicePixelRatio : 1;
  const level = Math.min(levels.length - 1, props.level ?? levelForScreen(levels, view, width * density, height * density));
  const index = is3d ? placeInLevel(at, geometry.shape[view.cut] ?? 1, levels[level]?.[view.cut] ?? 1) : 0;
  const values = useLoaded<Values>(() => ask("slice", { image: image.id, axis: view.cut, index, level, outer: [...outer] }), [image.id, view.cut, index, level, outer.join()]);
  const window3d = { start: geometry.shape.map((_, axis) => (is3d && axis === view.cut ? at : 0)), shape: geometry.shape.map((extent, axis) => (is3d && axis === view.cut ? 1 : extent)) };
  const isMasked = (geometry.shape[rowAxis] ?? 1) * (geometry.shape[columnAxis] ?? 1) <= MOST_MASKED_VOXELS;
  const overlays = useLoaded(async () => {
    const of = annotation !== undefined && isMasked ? { annotation, ...window3d } : undefined;
    const [masks, ignored, valid] = await Promise.all([
      of && ask("masks", of),
      of && ask("ignored", of),
      image.valid_mask === undefined || !isMasked ? undefined : ask("masks", { annotation: image.valid_mask, ...window3d }),
    ]);
    return { masks, ignored, valid };
  }, [annotation, image.valid_mask, view.cut, at]);
  const data = values && "value" in values ? values.value : undefined;
  const over: { masks?: ClassMasks | undefined; ignored?: Uint8Array | undefined; valid?: ClassMasks | undefined } = overlays && "value" in overlays ? overlays.value : {};
  const shape = levels[level] ?? geometry.shape;
  const plane: StoredPlane = { rows: data?.shape.at(-2) ?? shape[rowAxis] ?? 1, columns: data?.shape.at(-1) ?? shape[columnAxis] ?? 1, rowAxis, columnAxis };
  const finest: StoredPlane = { rows: geometry.shape[rowAxis] ?? 1, columns: geometry.shape[columnAxis] ?? 1, rowAxis, columnAxis };
  const window = range ?? (data ? (image.value_type === "probability" || image.value_type === "mask" ? { center: 0.5, width: 1 } : automatic(channelOf(data, channel), rescale)) : { center: 0, width: 1 });
  const pictures = useMemo((): Picture[] => {
    if (!data) return [];
    const all = [imagePicture(view, plane, data, rescale, window, inverted, channel)];
    if (over.valid) all.push(dimmedPicture(view, finest, over.valid.masks));
    if (over.masks) all.push(overlayPicture(view, finest, over.masks, styles));
    if (over.ignored) all.push(hatchedPicture(view, finest, over.ignored));
    return all;
  }, [data, overlays, styles, window.center, window.width, inverted, channel, view.cut, view.acrossReversed, view.downReversed]);
  const cap = Math.min(1, LARGEST_CANVAS / Math.max(width, height));
  useEffect(() => {
    if (canvas.current && data) draw(canvas.current, pictures, width * cap, height * cap);
  }, [pictures, width, height, cap]);
  /** Where on the plane an event is, as parts of its width and height. */
  const partsAt = (event: MouseEvent): [number, number] => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const part = (position: number, size: number): number => Math.min(0.999999, Math.max(0, position / Math.max(1, size)));
    return [part(event.clientX - box.left, box.width), part(event.clientY - box.top, box.height)];
  };
  const voxelAt = (event: MouseEvent): number[] => {
    const [x, y] = partsAt(event);
    return indexFromScreen(geometry, view, at, Math.floor(x * (geometry.shape[view.across] ?? 1)), Math.floor(y * (geometry.shape[view.down] ?? 1)));
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
    pointer.current = { parts: partsAt(event), voxel: voxelAt(event) };
    onHover(probe(...pointer.current.parts, pointer.current.voxel, false));
  };
  /** What is at a place of the plane, given as parts of its width and height. */
  const probe = (x: number, y: number, voxel: readonly number[], isCross: boolean): Hover => {
    /** The place in a plane of any level. */
    const inside = (of: StoredPlane): number => {
      const extent = (axis: number): number => (axis === of.rowAxis ? of.rows : of.columns);
      return storedIndex(view, of)(Math.floor(x * extent(view.across)), Math.floor(y * extent(view.down)));
    };
    const [size, finestAt] = [finest.rows * finest.columns, inside(finest)];
    const classes = over.masks?.classIds.filter((_, entry) => over.masks?.masks[entry * size + finestAt] === 1) ?? [];
    const [numbers, step, here] = [data && numbersOf(data), plane.rows * plane.columns, inside(plane)];
    const stored = (channel === "rgb" ? [0, 1, 2] : [channel]).flatMap((one) => numbers?.[one * step + here] ?? []);
    return { voxel, stored, level, classes, isIgnored: over.ignored?.[finestAt] === 1, isCross };
  };
  const cross = crosshair(geometry, view, place);
  /** What is at the crosshair of the plane that has the keyboard, or under a mouse that rests while values arrive. */
  const tellPlace = (): void => {
    if (pointer.current) onHover(probe(...pointer.current.parts, pointer.current.voxel, false));
    else if (document.activeElement === stage.current) onHover(probe(Math.min(0.999999, cross.x), Math.min(0.999999, cross.y), place, true));
  };
  useEffect(tellPlace, [data, overlays, place.join(), channel]);
  /** Moves the crosshair within the plane, by voxels of the screen's right and down. */
  const step = (right: number, down: number): void => {
    const next = [...place];
    const move = (axis: number, isReversed: boolean, by: number): void => {
      next[axis] = Math.min((geometry.shape[axis] ?? 1) - 1, Math.max(0, (next[axis] ?? 0) + (isReversed ? -by : by)));
    };
    move(view.across, view.acrossReversed, right);
    move(view.down, view.downReversed, down);
    setPlace(next);
  };
  const letters = view.letters;
  const problem = [values, overlays].find((one) => one && "error" in one);
  return (
    <figure class="plane">
      <figcaption>
        {view.name}
        {is3d ? ` ${at + 1} of ${geometry.shape[view.cut] ?? 1}` : ""}
        {levels.length > 1 ? `, level ${level} of ${levels.length - 1}` : ""}
        {annotation !== undefined && !isMasked ? ", too large to show classes" : ""}
        {problem && "error" in problem ? <span role="alert"> {problem.error}</span> : null}
      </figcaption>
      <div class="frame" style={{ maxWidth: `${LONGEST_SIDE + 12}px`, maxHeight: `${LONGEST_SIDE + 12}px` }} {...(zoom > 1 ? { tabIndex: 0, role: "region", "aria-label": `${view.name} plane, enlarged` } : {})}>
        <div
          class="stage"
          ref={stage}
          style={{ width: `${width}px`, height: `${height}px` }}
          tabIndex={0}
          role="slider"
          aria-label={`${view.name} plane`}
          aria-valuemin={1}
          aria-valuemax={geometry.shape[view.cut] ?? 1}
          aria-valuenow={at + 1}
          aria-valuetext={`${view.name} ${at + 1}`}
          onFocus={tellPlace}
          onWheel={(event) => {
            event.preventDefault();
            turn(event.deltaY > 0 ? 1 : -1);
          }}
          onKeyDown={(event) => {
            const moves: Readonly<Record<string, readonly [number, number]>> = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
            const windows: Readonly<Record<string, readonly [number, number]>> = { w: [20, 0], W: [-20, 0], b: [0, -20], B: [0, 20] };
            const [move, change] = [event.shiftKey ? moves[event.key] : undefined, windows[event.key]];
            if (move || change) {
              event.preventDefault();
              if (move) step(...move);
              if (change) onWindow(dragged(window, ...change));
              return;
            }
            const by = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity }[event.key];
            if (by === undefined) return;
            event.preventDefault();
            turn(Number.isFinite(by) ? by : by < 0 ? -at : geometry.shape[view.cut] ?? 0);
          }}
          onMouseDown={(event) => {
            drag.current = { x: event.clientX, y: event.clientY, window, moved: false };
          }}
          onMouseUp={(event) => {
            if (drag.current && !drag.current.moved) setPlace(voxelAt(event).map(Math.round));
            drag.current = undefined;
          }}
          onMouseMove={hover}
          onMouseLeave={() => {
            pointer.current = undefined;
            onHover(undefined);
          }}
          data-letters={letters ? `${letters.left}${letters.right}${letters.top}${letters.bottom}` : ""}
          data-level={level}
        >
          <canvas ref={canvas} aria-hidden="true" />
          {shapes.map(({ annotation: name, shapes: list }) => (
            <DrawnShapes key={name} {...{ geometry, view, width, height, at, ask, hidden }} annotation={name} image={image.id} shapes={list} classes={labelClasses} />
          ))}
          {showsCross && <span class="cross vertical" style={{ left: `${cross.x * 100}%` }} />}
          {showsCross && <span class="cross horizontal" style={{ top: `${cross.y * 100}%` }} />}
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
      </div>
      {is3d && <input type="range" aria-label={`${view.name} position`} min={0} max={(geometry.shape[view.cut] ?? 1) - 1} value={at} onInput={(event) => turn(Number(event.currentTarget.value) - at)} />}
      <button class="plain link" onClick={() => stage.current && void snapshot(stage.current).then((blob) => blob && save(`${image.id}-${view.name}-${at}.png`, "image/png", blob))}>
        PNG of this plane
      </button>
    </figure>
  );
}

/** The values of the channel that is shown; of an image in colour, all. */
function channelOf(data: Values, channel: number | "rgb"): ReturnType<typeof numbersOf> {
  const numbers = numbersOf(data);
  const size = (data.shape.at(-2) ?? 1) * (data.shape.at(-1) ?? 1);
  return channel === "rgb" ? numbers : numbers.subarray(channel * size, (channel + 1) * size);
}

function automatic(values: ReturnType<typeof numbersOf>, rescale: Rescale): DisplayWindow {
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

/** A bar of a round length, at most a third of what is seen of the plane. */
function ScaleBar({ length, width, units }: { readonly length: number; readonly width: number; readonly units: string }): JSX.Element {
  const most = (length * Math.min(1, LONGEST_SIDE / width)) / 3;
  const power = 10 ** Math.floor(Math.log10(most));
  const round = [5, 2, 1].map((step) => step * power).find((step) => step <= most) ?? power;
  return (
    <span class="scale" style={{ width: `${(round / length) * width}px` }}>
      {number(round)} {units}
    </span>
  );
}
