import type { ChatStrings } from '../../../src/protocol/chatStrings';
import type { Announcer } from '../../components/announcer';
import type { CodeColours } from '../../markdown/codeColours';
import type { MarkdownRenderer } from '../../markdown/renderer';
import type { ChatSession } from './session';

/** What the parts of the chat page share. */
export interface Chat {
  readonly session: ChatSession;
  readonly strings: ChatStrings;
  readonly renderer: MarkdownRenderer;
  readonly colours: CodeColours;
  readonly announcer: Announcer;
  /** Unix milliseconds. */
  readonly now: () => number;
}
