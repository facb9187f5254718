import * as l10n from '@vscode/l10n';
import { Note, type NoteOffer } from '../../../components/note';
import { pageNumber } from '../../../components/pageLanguage';

/** Shown below an answer that contains a tool call as text because the server did not recognize it. */
export function UnreadCall(offer: NoteOffer) {
  return (
    <Note
      {...offer}
      tone="warning"
      title={l10n.t('The model sent a tool call as text')}
      detail={l10n.t(
        'The server needs a tool-call parser. Start vLLM with --enable-auto-tool-choice and --tool-call-parser, or llama.cpp with --jinja.',
      )}
    />
  );
}

interface ToolLimitNoteProps extends NoteOffer {
  /** The number of tool rounds in a row that ran without asking. */
  readonly limit: number;
}

/** Says that the answer was paused, so that tools do not run indefinitely. */
export function ToolLimitNote({ limit, ...offer }: ToolLimitNoteProps) {
  return (
    <Note
      {...offer}
      tone="warning"
      title={l10n.t('Paused after {0} tool rounds', pageNumber(limit))}
      detail={l10n.t('Tools ran without asking. Continue to send their results.')}
    />
  );
}
