/** Of the package's source what a formula needs: its own types are of the whole, which brings a page's scripts and a chemist's signs. */
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

  /** An element, a text, or, with children alone, what has none of its own. */
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
  /** What makes an element of each kind of group, by its name. */
  export const _mathmlGroupBuilders: Record<string, (...parts: readonly unknown[]) => unknown>;
}
