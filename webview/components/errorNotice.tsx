import * as l10n from '@vscode/l10n';
import { Note } from './note';
import type { NoteAction } from './note';

export interface ErrorNoticeProps {
  readonly error: { readonly title: string; readonly detail: string } | undefined;
  /** Actions offered besides reading again. */
  readonly actions?: readonly NoteAction[];
  readonly onAct?: (id: string) => void;
  readonly onReadAgain: () => void;
}

/** The error of a page. Renders nothing without an error. */
export function ErrorNotice({ error, actions = [], onAct, onReadAgain }: ErrorNoticeProps) {
  if (!error) return null;
  return (
    <Note
      tone="error"
      title={error.title}
      detail={error.detail}
      actions={[...actions, { id: 'again', label: l10n.t('Reload') }]}
      onAct={(id) => (id === 'again' ? onReadAgain() : onAct?.(id))}
    />
  );
}
