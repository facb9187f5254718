import { render } from 'preact';
import type { BatchCompareScreen } from '../../../src/protocol/batchCompare';
import { createAnnouncer } from '../../components/announcer';
import type { Host } from '../../host';
import '../../components/tablePage.css';
import '../batchResults/batchResults.css';
import '../batchResults/resultsTable.css';
import './batchCompare.css';
import { ComparePage } from './comparePage';
import { CompareSession } from './session';

export function mountBatchCompare(root: HTMLElement, host: Host<BatchCompareScreen>): void {
  const page = document.createElement('main');
  page.className = 'table-page results';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new CompareSession(host, (text) => announcer.say(text));
  render(<ComparePage session={session} />, page);
  void session.start();
}
