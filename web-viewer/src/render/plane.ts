/** Paints a plane: grey values, class overlays, boxes of the screen's pixels. The only place that knows canvases. */

import type { ClassMasks, Values } from "medh5-lite";
import type { Colour } from "../model/colours";
import type { PlaneView } from "../model/orientation";
import { greyLevels, type DisplayWindow, type Rescale } from "../model/windowing";

/** A plane as it lies in the array: rows and columns in stored order. */
export interface StoredPlane {
  readonly rows: number;
  readonly columns: number;
  /** The stored axes of rows and columns. */
  readonly rowAxis: number;
  readonly columnAxis: number;
}

/** A picture in screen order, one pixel per voxel. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
  /** What is painted is filled with hatching. */
  readonly isHatched?: boolean;
}

/** The place of a screen pixel in the stored plane, row-major. */
export function storedIndex(view: PlaneView, plane: StoredPlane): (x: number, y: number) => number {
  const transposed = view.across === plane.rowAxis;
  const [width, height] = screenSize(view, plane);
  return (x, y) => {
    const across = view.acrossReversed ? width - 1 - x : x;
    const down = view.downReversed ? height - 1 - y : y;
    return transposed ? across * plane.columns + down : down * plane.columns + across;
  };
}

/** Width and height of the screen picture in voxels. */
export function screenSize(view: PlaneView, plane: StoredPlane): [number, number] {
  return view.across === plane.rowAxis ? [plane.rows, plane.columns] : [plane.columns, plane.rows];
}

/** The image in grey, one channel of it; or in its own colours, when it says that its channels are red, green and blue. */
export function imagePicture(view: PlaneView, plane: StoredPlane, values: Values, rescale: Rescale, window: DisplayWindow, inverted: boolean, channel: number | "rgb" = 0): Picture {
  const [width, height] = screenSize(view, plane);
  const at = storedIndex(view, plane);
  const size = plane.rows * plane.columns;
  const data = numbersOf(values);
  const isColour = channel === "rgb";
  const levels = isColour ? data : greyLevels(data.subarray(channel * size, (channel + 1) * size), rescale, window, inverted);
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let y = 0, to = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, to += 4) {
      const from = at(x, y);
      for (let part = 0; part < 3; part += 1) pixels[to + part] = levels[isColour ? from + part * size : from] ?? 0;
      pixels[to + 3] = 255;
    }
  }
  return { width, height, pixels };
}

/** How a class is drawn over the image. */
export interface ClassStyle {
  readonly colour: Colour;
  /** 0 hides the class. */
  readonly opacity: number;
}

/** The classes over the image: filled, with an outline where several overlap so that none hides another. */
export function overlayPicture(view: PlaneView, plane: StoredPlane, masks: ClassMasks, styles: ReadonlyMap<number, ClassStyle>): Picture {
  const [width, height] = screenSize(view, plane);
  const at = storedIndex(view, plane);
  const size = plane.rows * plane.columns;
  const pixels = new Uint8ClampedArray(width * height * 4);
  masks.classIds.forEach((id, place) => {
    const style = styles.get(id);
    if (!style || style.opacity === 0) return;
    const mask = masks.masks.subarray(place * size, (place + 1) * size);
    const inside = (x: number, y: number): boolean => x >= 0 && y >= 0 && x < width && y < height && mask[at(x, y)] === 1;
    for (let y = 0, to = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1, to += 4) {
        if (!inside(x, y)) continue;
        const isEdge = !inside(x - 1, y) || !inside(x + 1, y) || !inside(x, y - 1) || !inside(x, y + 1);
        if (pixels[to + 3] !== 0 && !isEdge) continue;
        pixels.set(style.colour, to);
        pixels[to + 3] = 255 * (isEdge ? Math.min(1, style.opacity * 2) : style.opacity);
      }
    }
  });
  return { width, height, pixels };
}

/** Draws pictures over one another, `scale` screen pixels per unit of length, voxels as sharp blocks. */
export function draw(canvas: HTMLCanvasElement, pictures: readonly Picture[], width: number, height: number): void {
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  const context = canvas.getContext("2d");
  if (!context) return;
  context.imageSmoothingEnabled = false;
  for (const picture of pictures) {
    if (picture.width === 0 || picture.height === 0) continue;
    const buffer = document.createElement("canvas");
    buffer.width = picture.width;
    buffer.height = picture.height;
    buffer.getContext("2d")?.putImageData(new ImageData(picture.pixels, picture.width, picture.height), 0, 0);
    context.drawImage(picture.isHatched ? hatched(buffer, canvas.width, canvas.height) : buffer, 0, 0, canvas.width, canvas.height);
  }
}

/** Diagonal lines where `mask` is painted, light beside dark so that they show on any grey. */
function hatched(mask: HTMLCanvasElement, width: number, height: number): HTMLCanvasElement {
  const layer = document.createElement("canvas");
  [layer.width, layer.height] = [width, height];
  const context = layer.getContext("2d");
  if (!context) return layer;
  context.imageSmoothingEnabled = false;
  context.drawImage(mask, 0, 0, width, height);
  context.globalCompositeOperation = "source-in";
  context.fillStyle = context.createPattern(hatching(), "repeat") ?? "#0008";
  context.fillRect(0, 0, width, height);
  return layer;
}

/** Pixels from one line to the next. */
const HATCH = 8;

/** A tile of the hatching. */
function hatching(): HTMLCanvasElement {
  const tile = document.createElement("canvas");
  tile.width = tile.height = HATCH;
  const pixels = new Uint8ClampedArray(HATCH * HATCH * 4);
  for (let at = 0; at < HATCH * HATCH; at += 1) {
    const line = ((at % HATCH) + Math.floor(at / HATCH)) % HATCH;
    if (line < 2) pixels.set(line === 0 ? [255, 255, 255, 220] : [0, 0, 0, 220], at * 4);
  }
  tile.getContext("2d")?.putImageData(new ImageData(pixels, HATCH, HATCH), 0, 0);
  return tile;
}

/** Values as numbers; 64-bit integers lose what a screen cannot show anyway. */
export function numbersOf(values: Values): Exclude<Values["data"], string[] | BigInt64Array | BigUint64Array> {
  const { data } = values;
  if (Array.isArray(data)) return new Float64Array(0);
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) return Float64Array.from(data, Number);
  return data;
}
