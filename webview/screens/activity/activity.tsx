import { render } from 'preact';
import type { ActivityScreen } from '../../../src/protocol/activity';
import { createAnnouncer } from '../../components/announcer';
import type { Host } from '../../host';
import './activity.css';
import { ActivityPage } from './activityPage';
import { ActivitySession } from './session';

export function mountActivity(root: HTMLElement, host: Host<ActivityScreen>): void {
  const page = document.createElement('main');
  page.className = 'activity';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new ActivitySession(host, (text) => announcer.say(text));
  render(<ActivityPage session={session} />, page);
  void session.start();
}
