/** The styles that decide where the text of a box wraps. */
const copied = [
  'boxSizing',
  'width',
  'paddingTop',
  'paddingRight',
  'paddingBottom',
  'paddingLeft',
  'borderTopWidth',
  'borderRightWidth',
  'borderBottomWidth',
  'borderLeftWidth',
  'direction',
  'fontFamily',
  'fontSize',
  'fontStyle',
  'fontWeight',
  'letterSpacing',
  'lineHeight',
  'tabSize',
  'textAlign',
  'overflowWrap',
  'wordBreak',
] as const;

/** Returns where the character at `index` begins: the top of its line, in pixels from the upper left corner of the box. */
export function caretPosition(
  box: HTMLTextAreaElement,
  index: number,
): { readonly left: number; readonly top: number } {
  // A text box does not expose the positions of its characters, but a block with the same text and styles does.
  const copy = document.createElement('div');
  const style = getComputedStyle(box);
  for (const name of copied) copy.style[name] = style[name];
  copy.style.borderStyle = 'solid';
  copy.style.position = 'absolute';
  copy.style.insetInlineStart = '0';
  copy.style.visibility = 'hidden';
  copy.style.whiteSpace = 'pre-wrap';
  const mark = document.createElement('span');
  mark.textContent = box.value.slice(index) || '.';
  copy.append(box.value.slice(0, index), mark);
  document.body.append(copy);
  const place = { left: mark.offsetLeft - box.scrollLeft, top: mark.offsetTop - box.scrollTop };
  copy.remove();
  return place;
}
