import { render } from 'preact';
import type { BatchPreviewScreen } from '../../../src/protocol/batchPreview';
import { createAnnouncer } from '../../components/announcer';
import type { Host } from '../../host';
import '../../components/tablePage.css';
import './batchPreview.css';
import './previewTable.css';
import type { Preview } from './previewContext';
import { PreviewPage } from './previewPage';
import { PreviewSession } from './session';

export function mountBatchPreview(root: HTMLElement, host: Host<BatchPreviewScreen>): void {
  const page = document.createElement('main');
  page.className = 'table-page preview';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new PreviewSession(host, (text) => announcer.say(text));
  const preview: Preview = { session, announcer };
  render(<PreviewPage preview={preview} />, page);
  host.on('preview/notices', (notices) => (session.notices.value = notices));
  host.on('preview/stale', () => void session.load(true));
  void session.start();
}
