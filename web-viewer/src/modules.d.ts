declare module "worker:code" {
  const code: string;
  export default code;
}
declare module "wasm:bytes" {
  /** The bytes of the reader's WebAssembly module. */
  export default function bytes(): Promise<ArrayBuffer | Uint8Array<ArrayBuffer>>;
}
