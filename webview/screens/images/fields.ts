import * as l10n from '@vscode/l10n';
import type { ImageField } from '../../../src/protocol/images';
import type { FieldNoteProps } from '../../components/parameter';
import type { ImagesSession } from './session';

/** Returns the notes below a field: its error, the service's refusal, and its warning. */
export function noteOf(session: ImagesSession, field: ImageField): FieldNoteProps {
  const { issues, warnings, notTaken } = session.typed.answer.value;
  if (notTaken[field] !== undefined) return { notTaken: notTaken[field] };
  const refused = session.page.value?.refused;
  const isRefused = refused?.field === field && session.typed.form.value[field] !== '';
  return {
    issue: issues[field],
    warning: warnings[field],
    ...(isRefused && {
      refusal: {
        text: refused.text,
        again: l10n.t('Remove and Retry'),
        sendAgain: () => void session.leaveOut(field),
      },
    }),
  };
}

/** Returns the props of a text field. */
export function fieldOf(session: ImagesSession, field: ImageField) {
  const note = noteOf(session, field);
  return {
    value: session.typed.form.value[field],
    placeholder: l10n.t('Default'),
    disabled: note.notTaken !== undefined,
    note,
    onInput: (value: string) => session.typed.edit({ [field]: value }),
  };
}
