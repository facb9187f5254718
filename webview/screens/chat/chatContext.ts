import type { Announcer } from '../../components/announcer';
import type { CodeColours } from '../../markdown/codeColours';
import type { MarkdownRenderer } from '../../markdown/renderer';
import type { ChatSession } from './session';

/** Shared by the components of the chat page. */
export interface Chat {
  readonly session: ChatSession;
  readonly renderer: MarkdownRenderer;
  readonly colours: CodeColours;
  readonly announcer: Announcer;
  /** Returns Unix milliseconds. */
  readonly now: () => number;
}
