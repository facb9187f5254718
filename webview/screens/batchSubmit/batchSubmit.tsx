import { render } from 'preact';
import type { BatchSubmitScreen } from '../../../src/protocol/batchSubmit';
import { createAnnouncer } from '../../components/announcer';
import type { Host } from '../../host';
import '../../components/parameters.css';
import '../../components/sendPage.css';
import '../../components/sendFields.css';
import './batchSubmit.css';
import './fields.css';
import { SubmitSession } from './session';
import type { Submit } from './submitContext';
import { SubmitPage } from './submitPage';

export function mountBatchSubmit(root: HTMLElement, host: Host<BatchSubmitScreen>): void {
  const page = document.createElement('main');
  page.className = 'send-page submit';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new SubmitSession(host, (text) => announcer.say(text));
  const submit: Submit = { session, strings: host.strings };
  host.on('submit/changed', (view) => session.show(view));
  render(<SubmitPage submit={submit} />, page);
  void session.start();
}
