import * as l10n from '@vscode/l10n';
import { pageNumber } from '../../../components/pageLanguage';
import { Note, type NoteAction } from '../../../components/note';

interface ToolLimitNoteProps {
  /** The number of tool rounds in a row that ran without asking. */
  readonly limit: number;
  readonly goOn: readonly NoteAction[];
  readonly onAct: (action: string) => void;
}

/** Says that the answer was paused, so that tools do not run indefinitely. */
export function ToolLimitNote({ limit, goOn, onAct }: ToolLimitNoteProps) {
  return (
    <Note
      tone="warning"
      title={l10n.t('Paused after {0} tool rounds', pageNumber(limit))}
      detail={l10n.t('The tools ran without asking. Continue to send their results.')}
      actions={goOn}
      onAct={onAct}
    />
  );
}
