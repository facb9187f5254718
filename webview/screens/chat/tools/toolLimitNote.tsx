import type { ChatStrings } from '../../../../src/protocol/chatStrings';
import { fill } from '../../../components/fill';
import { Note, type NoteAction } from '../../../components/note';

interface ToolLimitNoteProps {
  readonly strings: ChatStrings;
  /** The number of tool rounds in a row that ran without asking. */
  readonly limit: number;
  readonly goOn: readonly NoteAction[];
  readonly onAct: (action: string) => void;
}

/** Says that the answer was paused, so that tools do not run indefinitely. */
export function ToolLimitNote({ strings, limit, goOn, onAct }: ToolLimitNoteProps) {
  return (
    <Note
      tone="warning"
      title={fill(strings.toolLimitTitle, limit)}
      detail={strings.toolLimitDetail}
      actions={goOn}
      onAct={onAct}
    />
  );
}
