import { createEditorStack } from '../../../../../src/core/api/transport/editorTransport';
import { describeStack } from './stackConformance';

describeStack('editor stack over fetch', { create: () => createEditorStack() });
// A call that may be silent for long goes over node:http(s); one of the two stays long whichever a test shortens.
describeStack('editor stack over node:http', {
  create: () => createEditorStack(),
  timers: { firstByteMs: 300_000, idleMs: 300_000 },
});
