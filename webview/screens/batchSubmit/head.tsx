import type { SubmitView } from '../../../src/protocol/batchSubmit';

export function Head({ view, heading }: { readonly view: SubmitView; readonly heading: string }) {
  return (
    <header class="send-head">
      <h1 class="send-title" dir="auto" title={view.name}>
        {heading}
      </h1>
      <p class="send-place">
        <bdi>{view.place}</bdi>
      </p>
    </header>
  );
}
