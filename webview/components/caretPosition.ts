/** What decides where text of a box breaks. */
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

/** Where the character at `index` begins: the top of its line, in pixels from the upper left corner of the box. */
export function caretPosition(
  box: HTMLTextAreaElement,
  index: number,
): { readonly left: number; readonly top: number } {
  // A text box tells nobody where its characters are; the same text in a block of the same form does.
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
