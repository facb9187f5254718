/** The code of a WebAssembly module, compiled from AssemblyScript while bundling. */
declare module '*.wasm' {
  const code: Uint8Array<ArrayBuffer>;
  export default code;
}

/** The part of Node's WebAssembly API that is used here. */
declare namespace WebAssembly {
  interface Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Module {
    constructor(code: Uint8Array<ArrayBuffer>);
  }
  class Instance<Exports> {
    constructor(module: Module);
    readonly exports: Exports;
  }
}
