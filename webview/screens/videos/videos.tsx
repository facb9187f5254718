import { render } from 'preact';
import type { VideosScreen } from '../../../src/protocol/videos';
import { createAnnouncer } from '../../components/announcer';
import type { Host } from '../../host';
import { VideosSession } from './session';
import './videos.css';
import './videoForm.css';
import './videoJobs.css';
import './player.css';
import { VideosView } from './videosView';

export function mountVideos(root: HTMLElement, host: Host<VideosScreen>): void {
  const page = document.createElement('main');
  page.className = 'videos';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new VideosSession(host, (text) => announcer.say(text));
  render(<VideosView videos={{ session, strings: host.strings }} />, page);
  host.on('videos/changed', (changed) => session.show(changed));
  void session.start();
}
