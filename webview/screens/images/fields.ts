import type { ImageField } from '../../../src/protocol/images';
import type { FieldNoteProps } from '../../components/parameter';
import type { Images } from './imagesContext';

/** Returns the notes below a field: its error, the service's refusal, and its warning. */
export function noteOf({ session, strings }: Images, field: ImageField): FieldNoteProps {
  const { issues, warnings, notTaken } = session.typed.answer.value;
  if (notTaken[field] !== undefined) return { notTaken: notTaken[field] };
  const refused = session.page.value?.refused;
  const isRefused = refused?.field === field && session.typed.form.value[field] !== '';
  return {
    issue: issues[field],
    warning: warnings[field],
    ...(isRefused && {
      refusal: { text: refused.text, again: strings.leaveOut, sendAgain: () => void session.leaveOut(field) },
    }),
  };
}

/** Returns the props of a text field. */
export function fieldOf(images: Images, field: ImageField) {
  const { session, strings } = images;
  const note = noteOf(images, field);
  return {
    value: session.typed.form.value[field],
    placeholder: strings.notSet,
    disabled: note.notTaken !== undefined,
    note,
    onInput: (value: string) => session.typed.edit({ [field]: value }),
  };
}
