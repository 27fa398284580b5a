import type { MovePlace } from "@sightline/server/export-account";
import type { Storage } from "@sightline/server/storage";

/** A storage as a place from which or to which accounts are moved. */
export function movePlaceOf({ control, answers, clock, keyRing }: Storage): MovePlace {
  return { control, answers, clock, pepperFingerprint: keyRing.pepperFingerprint };
}
