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
  /** Left out of the counts by `select` or `ignore`. */
  suppressed?: true;
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
  /** Extents of each level of a pyramid, the finest first. */
  level_shapes?: number[][];
  /** The mask of voxels that were measured. */
  valid_mask?: string;
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
  /** The mask of voxels about which it says nothing. */
  ignore_mask?: string;
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
  /** Only codes that begin like this count; the others are suppressed, still listed. */
  select?: string[];
  /** Codes that begin like this are suppressed. */
  ignore?: string[];
}

/** How far a long call is. */
export interface Progress {
  /** Decoded bytes that were looked at so far. */
  bytes: number;
}

/** How the vertices of a shape belong together. */
export type ShapeForm = { kind: "solid" } | { kind: "points"; edges: [number, number][]; hidden: number[] } | { kind: "polygon"; is_hole: boolean } | { kind: "polyline" };

/** A box, points or a curve of an annotation. */
export type Shape = ShapeForm & {
  class_id: number | null;
  instance_id: number | null;
  name: string | null;
  score: number | null;
  /** Where to look for it, in continuous voxel indices of the image, slowest axis first. */
  center: number[] | null;
};

/** What a plane shows of one shape. Points are row and column in continuous voxel indices. */
export interface Section {
  /** Place of the shape in the list. */
  shape: number;
  lines: [number, number][][];
  is_closed: boolean;
  is_hole: boolean;
  points: [number, number][];
  /** Those of the points that are there but cannot be seen. */
  hidden: [number, number][];
}

/** What an audit keeps of one sample; hand it over as it is. */
export interface CohortEntry {
  /** The file, and `::KEY` for a member of a collection. */
  path: string;
  is_open: boolean;
  problems?: { location: string; message: string }[];
  [more: string]: unknown;
}

/** Samples that have something in common: places in the list of samples. */
export interface CohortGroup {
  label: string;
  samples: number[];
}

/** One question to a cohort, and its answer. */
export interface CohortCheck {
  name: string;
  /** The code under which the reference's `dataset check` asks the same. */
  code: string | null;
  weight: "error" | "warning" | "info";
  title: string;
  /** `not-applicable`: the question does not arise, the sentence says why; not a pass. */
  outcome: "found" | "clean" | "not-applicable";
  sentence: string;
  groups?: CohortGroup[];
}

export interface CohortLabelSet {
  id: string;
  version: string;
  digest: string;
  is_reference: boolean;
  classes: number;
  samples: number[];
}

export interface CohortClass {
  id: number;
  key: string;
  name: string;
  color?: number[];
}

export interface CohortRename {
  id: number;
  from_key: string;
  from_name: string;
  to_key: string;
  to_name: string;
}

/** How one label set differs from the common one; both by their places in the list of label sets. */
export interface CohortLabelDifference {
  from: number;
  to: number;
  added: CohortClass[];
  removed: CohortClass[];
  renamed: CohortRename[];
  redefined: CohortRename[];
  recolored: CohortClass[];
  moved: { key: string; from_id: number; to_id: number }[];
}

/** One class at one site in one part of a split. */
export interface CohortCell {
  declared: number[];
  examined: number[];
  present: number[];
  /** Examined, but no current sampling index tells. */
  unknown: number[];
  voxels: number;
}

export interface CohortColumn {
  site_id: string | null;
  set_id: string | null;
  partition: string | null;
  samples: number[];
}

export interface CohortGeometry {
  property: "spacing" | "shape" | "orientation";
  modality: string;
  value: string;
  images: number;
  samples: number[];
}

export interface CohortSample {
  path: string;
  is_open: boolean;
  problems: string[];
  sample_id: string | null;
  subject_id: string | null;
  site_id: string | null;
  splits: string[];
}

/** What the files of a cohort say about one another: the command line's `audit --json`. */
export interface CohortAudit {
  schema: string;
  tool: Version;
  totals: { samples: number; unreadable: number; incomplete: number; subjects: number; sites: number; images: number; annotations: number };
  checks: CohortCheck[];
  label_sets: CohortLabelSet[];
  label_differences: CohortLabelDifference[];
  classes: { columns: CohortColumn[]; rows: { class_id: number; key: string | null; name: string | null; cells: CohortCell[] }[] };
  geometry: CohortGeometry[];
  samples: CohortSample[];
}
