import createPurifier, { type Config } from 'dompurify';

const purifier = createPurifier(window);

/** What an answer may be made of. No picture, style, form, frame or script, and no attribute that could act or address. */
const answerConfig: Config = {
  ALLOWED_TAGS: [
    'a',
    'blockquote',
    'br',
    'code',
    'em',
    'h4',
    'hr',
    'li',
    'ol',
    'p',
    'pre',
    's',
    'span',
    'strong',
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
  // Values of these are no addresses, so the pattern below is not for them.
  ADD_URI_SAFE_ATTR: ['data-code', 'data-lang', 'dir', 'start'],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  RETURN_DOM_FRAGMENT: true,
};

/** What a formula may be made of: what lays it out, without what acts, addresses, or holds anything but a formula. */
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
  // Its values are no addresses: what is in them is judged where it is used.
  ADD_URI_SAFE_ATTR: ['data-style'],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

/** To read a configuration takes longer than to sanitize a few words, and there are many answers to a formula. */
purifier.setConfig(answerConfig);

/**
 * The only ways from a string to elements. They pass the page's Trusted Types policy `dompurify`, which the library makes
 * for itself; no `innerHTML` is set anywhere.
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
