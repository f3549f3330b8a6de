/** Masks over a plane: what is to be ignored is hatched, what was not measured is dimmed. */

import type { PlaneView } from "../model/orientation";
import { screenSize, storedIndex, type Picture, type StoredPlane } from "./plane";

/** Distance between the lines of the hatching, in voxels. */
const HATCH = 4;

/** Lines over the voxels of a mask, dark beside light so that they show on any grey. */
export function hatchedPicture(view: PlaneView, plane: StoredPlane, mask: Uint8Array): Picture {
  return masked(view, plane, (x, y, isSet) => {
    const line = (x + y) % HATCH;
    if (!isSet || line > 1) return undefined;
    return line === 0 ? [255, 255, 255, 200] : [0, 0, 0, 200];
  }, mask);
}

/** A shade over the voxels outside a mask. */
export function dimmedPicture(view: PlaneView, plane: StoredPlane, mask: Uint8Array): Picture {
  return masked(view, plane, (_x, _y, isSet) => (isSet ? undefined : [0, 0, 0, 150]), mask);
}

function masked(view: PlaneView, plane: StoredPlane, paint: (x: number, y: number, isSet: boolean) => readonly number[] | undefined, mask: Uint8Array): Picture {
  const [width, height] = screenSize(view, plane);
  const at = storedIndex(view, plane);
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let y = 0, to = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, to += 4) {
      const colour = paint(x, y, mask[at(x, y)] === 1);
      if (colour) pixels.set(colour, to);
    }
  }
  return { width, height, pixels };
}
