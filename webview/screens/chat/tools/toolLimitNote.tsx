import type { ChatStrings } from '../../../../src/protocol/chatStrings';
import { fill } from '../../../components/fill';
import { Note, type NoteAction } from '../../../components/note';

interface ToolLimitNoteProps {
  readonly strings: ChatStrings;
  /** Rounds of tools in a row about which nobody was asked. */
  readonly limit: number;
  readonly goOn: readonly NoteAction[];
  readonly onAct: (action: string) => void;
}

/** The answer paused, so that tools do not run on and on by themselves. */
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
