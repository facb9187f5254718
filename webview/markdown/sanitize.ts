import createPurifier, { type Config } from 'dompurify';

const purifier = createPurifier(window);

/** What an answer can contain: no image, style, form, frame, or script, and no attribute that could act or load anything. */
const answerConfig: Config = {
  ALLOWED_TAGS: [
    'a',
    'blockquote',
    'br',
    'code',
    'em',
    'h4',
    'hr',
    'kbd',
    'li',
    'ol',
    'p',
    'pre',
    's',
    'span',
    'strong',
    'sub',
    'sup',
    'table',
    'tbody',
    'td',
    'th',
    'thead',
    'tr',
    'ul',
    '#text',
  ],
  ALLOWED_ATTR: ['class', 'data-code', 'data-lang', 'dir', 'href', 'start', 'title'],
  // The values of these are not URLs, so the pattern below does not apply to them.
  ADD_URI_SAFE_ATTR: ['data-code', 'data-lang', 'dir', 'start'],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  RETURN_DOM_FRAGMENT: true,
};

/** What a formula can contain: its layout, without anything that acts, loads something, or is another kind of content. */
const formulaConfig: Config = {
  ALLOWED_TAGS: [
    'math',
    'menclose',
    'mfrac',
    'mi',
    'mn',
    'mo',
    'mover',
    'mpadded',
    'mphantom',
    'mroot',
    'mrow',
    'mspace',
    'msqrt',
    'mstyle',
    'msub',
    'msubsup',
    'msup',
    'mtable',
    'mtd',
    'mtext',
    'mtr',
    'munder',
    'munderover',
    '#text',
  ],
  ALLOWED_ATTR: [
    'accent',
    'class',
    'data-style',
    'depth',
    'display',
    'displaystyle',
    'fence',
    'form',
    'height',
    'largeop',
    'linethickness',
    'lspace',
    'mathbackground',
    'mathcolor',
    'mathsize',
    'mathvariant',
    'maxsize',
    'minsize',
    'movablelimits',
    'rspace',
    'scriptlevel',
    'separator',
    'stretchy',
    'symmetric',
    'voffset',
    'width',
  ],
  // The value isn't a URL, and is checked where it is used.
  ADD_URI_SAFE_ATTR: ['data-style'],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

/** Set permanently, because parsing a configuration takes longer than sanitizing a few words, and formulas are rare compared to answers. */
purifier.setConfig(answerConfig);

/**
 * Sanitizes HTML. With `sanitizeFormula`, the only way from a string to elements. Both pass the page's Trusted Types policy
 * `dompurify`, which the library creates; nothing sets `innerHTML`.
 */
export function sanitize(html: string): DocumentFragment {
  return purifier.sanitize(html) as unknown as DocumentFragment;
}

export function sanitizeFormula(mathMl: string): DocumentFragment {
  purifier.setConfig(formulaConfig);
  try {
    return sanitize(mathMl);
  } finally {
    purifier.setConfig(answerConfig);
  }
}
