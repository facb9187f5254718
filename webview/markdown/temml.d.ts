/** Types of the internal modules a formula needs. The package's own types also cover page scripts and chemistry notation. */
declare module 'temml/src/parseTree.js' {
  export default function parseTree(formula: string, settings: object): readonly object[];
}

declare module 'temml/src/Style.js' {
  export default class Style {
    constructor(options: { readonly level: number; readonly maxSize: readonly number[] });
  }
}

declare module 'temml/src/buildMathML.js' {
  import type Style from 'temml/src/Style.js';

  /** An element, a text, or, if it has only children, a fragment. */
  export interface MathPart {
    readonly type?: string;
    readonly text?: string;
    readonly attributes?: Readonly<Record<string, unknown>>;
    readonly classes?: readonly string[];
    readonly style?: Readonly<Record<string, string>>;
    readonly children?: readonly MathPart[];
  }

  export default function buildMathML(
    tree: readonly object[],
    formula: string,
    style: Style,
    settings: object,
  ): MathPart;
}

declare module 'temml/src/defineFunction.js' {
  /** The builders of elements for each kind of group, by name. */
  export const _mathmlGroupBuilders: Record<string, (...parts: readonly unknown[]) => unknown>;
}
