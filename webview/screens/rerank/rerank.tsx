import { render } from 'preact';
import type { RerankScreen } from '../../../src/protocol/rerank';
import { createAnnouncer } from '../../components/announcer';
import type { Host } from '../../host';
import './rerank.css';
import './rerankForm.css';
import './rerankTable.css';
import './comparison.css';
import { RerankPage } from './rerankPage';
import { RerankSession } from './session';

export function mountRerank(root: HTMLElement, host: Host<RerankScreen>): void {
  const page = document.createElement('main');
  page.className = 'rerank';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new RerankSession(host, (text) => announcer.say(text));
  render(<RerankPage session={session} />, page);
  host.on('rerank/changed', (changed) => session.show(changed));
  void session.start();
}
