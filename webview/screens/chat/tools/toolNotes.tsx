import * as l10n from '@vscode/l10n';
import type { WireAction } from '../../../../src/protocol/wire';
import { Note, type NoteAction } from '../../../components/note';
import { pageNumber } from '../../../components/pageLanguage';

/** Shown below an answer that contains a tool call as text because the server did not recognize it. */
export function UnreadCall({
  actions,
  onAct,
}: {
  readonly actions: readonly WireAction[];
  readonly onAct: (action: string) => void;
}) {
  return (
    <Note
      tone="warning"
      title={l10n.t('Tool call received as text')}
      detail={l10n.t(
        'The server needs a tool-call parser. Start vLLM with --enable-auto-tool-choice and --tool-call-parser, or llama.cpp with --jinja.',
      )}
      actions={actions}
      onAct={onAct}
    />
  );
}

interface ToolLimitNoteProps {
  /** The number of tool rounds in a row that ran without asking. */
  readonly limit: number;
  readonly continueActions: readonly NoteAction[];
  readonly onAct: (action: string) => void;
}

/** Says that the answer was paused, so that tools do not run indefinitely. */
export function ToolLimitNote({ limit, continueActions, onAct }: ToolLimitNoteProps) {
  return (
    <Note
      tone="warning"
      title={l10n.t('Paused after {0} tool rounds', pageNumber(limit))}
      detail={l10n.t('Tools ran without asking. Continue to send their results.')}
      actions={continueActions}
      onAct={onAct}
    />
  );
}
