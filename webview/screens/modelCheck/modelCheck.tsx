import { render } from 'preact';
import type { ModelCheckScreen } from '../../../src/protocol/modelCheck';
import { createAnnouncer } from '../../components/announcer';
import type { Host } from '../../host';
import './modelCheck.css';
import { CheckPage } from './checkPage';
import { CheckSession } from './session';

export function mountModelCheck(root: HTMLElement, host: Host<ModelCheckScreen>): void {
  const page = document.createElement('main');
  page.className = 'model-check';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new CheckSession(host, (text) => announcer.say(text));
  render(<CheckPage session={session} />, page);
  void session.start();
}
