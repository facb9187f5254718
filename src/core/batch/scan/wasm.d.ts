/** Made of AssemblyScript while bundling: the code of a WebAssembly module. */
declare module '*.wasm' {
  const code: Uint8Array<ArrayBuffer>;
  export default code;
}

/** As much of what Node has of it as is used. */
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
