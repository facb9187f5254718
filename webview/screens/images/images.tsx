import { render } from 'preact';
import type { ImagesScreen } from '../../../src/protocol/images';
import { createAnnouncer } from '../../components/announcer';
import type { Host } from '../../host';
import './images.css';
import './imagesForm.css';
import './imagesGrid.css';
import { ImagesView } from './imagesView';
import { ImagesSession } from './session';

export function mountImages(root: HTMLElement, host: Host<ImagesScreen>): void {
  const page = document.createElement('main');
  page.className = 'images';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new ImagesSession(host, (text) => announcer.say(text));
  render(<ImagesView images={{ session, strings: host.strings }} />, page);
  host.on('images/changed', (changed) => session.show(changed));
  void session.start();
}
