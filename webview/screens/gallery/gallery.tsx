import { render } from 'preact';
import type { GalleryScreen } from '../../../src/protocol/gallery';
import { createAnnouncer } from '../../components/announcer';
import { createMenus } from '../../components/menu';
import '../../components/tablePage.css';
import type { Host } from '../../host';
import './gallery.css';
import { GalleryPage } from './galleryPage';
import { GallerySession } from './session';

export function mountGallery(root: HTMLElement, host: Host<GalleryScreen>): void {
  const page = document.createElement('main');
  page.className = 'table-page gallery';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new GallerySession(host, (text) => announcer.say(text), createMenus(root));
  render(<GalleryPage session={session} />, page);
  host.on('gallery/changed', () => void session.refresh());
  void session.start();
}
