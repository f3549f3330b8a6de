/** What the package gives back. Members are named as in the command line's JSON. */

import type { DiagnosticCode } from "./generated/codes.js";

export type { DiagnosticCode };

/** How deep a validation goes; each level runs the rules of the ones before it. */
export type Level = "structural" | "semantic" | "integrity" | "strict";

/** One finding. */
export interface Diagnostic {
  code: DiagnosticCode;
  severity: "error" | "warning";
  location: string;
  message: string;
  level: Level;
}

/** The verdict on one file, in the shape of the command line's `validate --json`. */
export interface Report {
  path: string;
  level: Level;
  profiles: string[];
  ok: boolean;
  errors: number;
  warnings: number;
  promoted: number;
  diagnostics: Diagnostic[];
  checked: { rules?: string[]; schema_checked?: boolean; samples?: string[] };
}

/** A diagnostic code of the table. */
export interface CodeInfo {
  code: DiagnosticCode;
  severity: "error" | "warning";
  domain: string;
  since: string;
  revision: number;
  summary: string;
}

/** The versions that decide what a report says. */
export interface Version {
  name: string;
  version: string;
  reference: string;
  codes_revision: number;
  formats: string[];
}

/** A grid; lists over spatial axes are slowest first, lengths in `units`. */
export interface GridSummary {
  id: string;
  shape: number[] | null;
  axis_names: string[] | null;
  axis_kinds: string[];
  spacing: number[] | null;
  origin: number[] | null;
  /** Rows over world axes, columns over spatial axes. */
  direction: number[][] | null;
  coord_system: string | null;
  units: string | null;
  timepoint: string | null;
  frame_uid: string | null;
}

export interface ImageSummary {
  id: string;
  grid: string | null;
  modality: string | null;
  value_type: string | null;
  value_units: string | null;
  shape: number[] | null;
  dtype: string | null;
  chunks: number[] | null;
  storage: string | null;
  levels: number;
  /** Slope and intercept. */
  rescale: [number, number];
  /** Centre and width in rescaled values. */
  window: [number, number] | null;
  channel_names: string[] | null;
  nbytes: number | null;
}

export interface AnnotationSummary {
  id: string;
  kind: string | null;
  task: string | null;
  grid: string | null;
  timepoints: string[] | null;
  classes: number;
  annotated_classes: number;
  fully_covered: boolean;
  closure: string | null;
  quality: string | null;
  prov: string | null;
}

export interface TransformSummary {
  id: string;
  kind: string | null;
  from_frame: string | null;
  to_frame: string | null;
  units: string | null;
  inverse_id: string | null;
  metrics: string | null;
  prov: string | null;
}

export interface TimepointSummary {
  id: string;
  index: number;
  label: string | null;
  date: string | null;
  days_from_baseline: number | null;
}

/** What a sample is about. */
export interface SampleSummary {
  version: string | null;
  kind: string | null;
  profiles: string[];
  content_id: string | null;
  document_usable: boolean;
  sample_id: string | null;
  subject_id: string | null;
  timepoints: TimepointSummary[];
  label_set: { id: string; version: string; classes: number; form: "inline" | "ref" } | null;
  agents: number;
  activities: number;
  quality_records: number;
  deidentified: boolean;
  grids: GridSummary[];
  images: ImageSummary[];
  annotations: AnnotationSummary[];
  transforms: TransformSummary[];
  index: string[];
  clinical?: { events: number; documents: number; links: number };
}

/** What a collection holds. */
export interface CollectionSummary {
  version: string | null;
  kind: "collection";
  samples: string[];
}

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The attributes of a part; shape and type for a dataset. */
export interface PartMetadata {
  attributes: { [name: string]: Json };
  shape?: number[];
  dtype?: string;
}

/** Everything that a sample says about itself, as stored. */
export interface Metadata {
  attributes: { [name: string]: Json };
  document: Json;
  grids: { [name: string]: PartMetadata };
  images: { [name: string]: PartMetadata };
  annotations: { [name: string]: PartMetadata };
  transforms: { [name: string]: PartMetadata };
}

/** A group, dataset or link. */
export interface TreeNode {
  path: string;
  name: string;
  kind: "group" | "dataset" | "datatype" | "link";
  describe?: string;
  shape?: number[];
  dtype?: string;
  attributes: { [name: string]: Json };
  children?: TreeNode[];
}

/** One entry of the sampling index. */
export interface IndexSummary {
  annotation: string;
  current: boolean;
  max_coords: number | null;
  seed: number | null;
  classes: {
    class_id: number;
    key: string | null;
    voxel_count: number;
    stored_coordinates: number;
    /** First and last voxel per axis, half a voxel outside; null when it has no voxel. */
    bounding_box: [number, number][] | null;
  }[];
}

/** What `verify` found. */
export interface Verification {
  ok: boolean;
  checked: number;
  mismatched: string[];
  undigested: string[];
  unattested: string[];
  malformed: string[];
  content_id_ok: boolean | null;
  stale_index: string[];
  unverifiable: string[];
}

export type NumberArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

/** Elements in C order with their shape. `float16` is widened to a Float32Array; `string` comes as an array of strings. */
export interface Values {
  dtype: string;
  shape: number[];
  data: NumberArray | string[];
}

/** Which voxels of a box belong to each class: one byte per voxel, class by class. */
export interface ClassMasks {
  classIds: number[];
  shape: number[];
  masks: Uint8Array;
}

/** What to validate, and how. */
export interface ValidateOptions {
  level?: Level;
  /** Profiles to require beside the declared ones. */
  profiles?: string[];
  /** Only codes that this revision of the table has. */
  codesRevision?: number;
}

/** How far a long call is. */
export interface Progress {
  /** Decoded bytes that were looked at so far. */
  bytes: number;
}
