import * as l10n from '@vscode/l10n';
import { Note } from './note';
import type { NoteAction } from './note';

export interface ErrorNoticeProps {
  readonly trouble: { readonly title: string; readonly detail: string } | undefined;
  /** Actions offered besides reading again. */
  readonly actions?: readonly NoteAction[];
  readonly onAct?: (id: string) => void;
  readonly onReadAgain: () => void;
}

/** The error of a page; nothing if there is none. */
export function ErrorNotice({ trouble, actions = [], onAct, onReadAgain }: ErrorNoticeProps) {
  if (!trouble) return null;
  return (
    <Note
      tone="error"
      title={trouble.title}
      detail={trouble.detail}
      actions={[...actions, { id: 'again', label: l10n.t('Reload') }]}
      onAct={(id) => (id === 'again' ? onReadAgain() : onAct?.(id))}
    />
  );
}
