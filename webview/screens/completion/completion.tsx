import { render } from 'preact';
import type { CompletionScreen } from '../../../src/protocol/completion';
import { createAnnouncer } from '../../components/announcer';
import type { Host } from '../../host';
import './completion.css';
import { CompletionPage } from './completionPage';
import { CompletionSession } from './session';

export function mountCompletion(root: HTMLElement, host: Host<CompletionScreen>): void {
  const page = document.createElement('main');
  page.className = 'completion';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new CompletionSession(host, (text) => announcer.say(text));
  host.on('completion/changed', (view) => session.show(view));
  render(<CompletionPage session={session} />, page);
  void session.start();
}
