import * as l10n from '@vscode/l10n';
import type { WireAction } from '../../../../src/protocol/wire';
import { Note } from '../../../components/note';

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
