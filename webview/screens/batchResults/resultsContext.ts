import type { Announcer } from '../../components/announcer';
import type { OpenMenu } from '../../components/menu';
import type { CodeColours } from '../../markdown/codeColours';
import type { MarkdownRenderer } from '../../markdown/renderer';
import type { ResultsSession } from './session';

/** Shared by the components of the page. */
export interface Results {
  readonly session: ResultsSession;
  readonly announcer: Announcer;
  readonly renderer: MarkdownRenderer;
  readonly colours: CodeColours;
  readonly openMenu: OpenMenu;
}
