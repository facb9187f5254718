import { fixAllWords, fixWords } from '../../words/fixWords';
import { insertEdit, replaceEdit } from '../jsonEdits';
import type { Target, FixStrategy } from '../strategy';

/** Sets an unused id: similar to the current one, else based on the line number. */
export const ownId: FixStrategy = {
  allTitle: fixAllWords.ids,
  *fixes({ text, root, problem: { code, span, line }, file }) {
    if (!root) return;
    const id = JSON.stringify(file.freshId(likeWhat(text, root, span) ?? `request-${line + 1}`));
    if (code === 'custom-id.missing') {
      yield {
        title: fixWords.addMember('custom_id', id),
        edits: [insertEdit(text, root, { key: 'custom_id', value: id })],
      };
    } else yield { title: fixWords.setMember('custom_id', id), edits: [replaceEdit(span, id)] };
  },
};

/** Returns the current id, a number as it is written. */
function likeWhat(text: string, root: NonNullable<Target['root']>, { start, end }: Target['problem']['span']) {
  const value = root.members.findLast(({ key, value: { start: at } }) => key === 'custom_id' && at === start)?.value;
  if (value?.kind === 'number') return text.slice(start, end);
  return typeof value?.value === 'string' && value.value !== '' ? value.value : undefined;
}
