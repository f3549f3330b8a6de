/** Masks over a plane: what is to be ignored is hatched, what was not measured is dimmed. */

import type { PlaneView } from "../model/orientation";
import { screenSize, storedIndex, type Picture, type StoredPlane } from "./plane";

/** The voxels of a mask, to be filled with hatching: its lines are of the screen, so that tiny images do not turn into blocks. */
export function hatchedPicture(view: PlaneView, plane: StoredPlane, mask: Uint8Array): Picture {
  return { ...masked(view, plane, (isSet) => (isSet ? [0, 0, 0, 255] : undefined), mask), isHatched: true };
}

/** A shade over the voxels outside a mask. */
export function dimmedPicture(view: PlaneView, plane: StoredPlane, mask: Uint8Array): Picture {
  return masked(view, plane, (isSet) => (isSet ? undefined : [0, 0, 0, 150]), mask);
}

function masked(view: PlaneView, plane: StoredPlane, paint: (isSet: boolean) => readonly number[] | undefined, mask: Uint8Array): Picture {
  const [width, height] = screenSize(view, plane);
  const at = storedIndex(view, plane);
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let y = 0, to = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, to += 4) {
      const colour = paint(mask[at(x, y)] === 1);
      if (colour) pixels.set(colour, to);
    }
  }
  return { width, height, pixels };
}
