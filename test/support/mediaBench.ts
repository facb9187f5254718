import { openMediaEngine, newMedia } from './mediaEngines';
import { setUpEngines } from './setUpEngines';
import type { NewMedia } from '../../src/core/jobs/media/mediaEngine';
import type { MediaJobRequest } from '../../src/core/jobs/media/mediaJob';

export function setUpMedia() {
  const { demo, folder, open, close } = setUpEngines(openMediaEngine);

  const asked = async (method: string, path: string): Promise<number> => {
    return (await demo().requests()).filter((request) => request.method === method && request.path.startsWith(path))
      .length;
  };

  return {
    demo,
    folder,
    open,
    close,
    task: (task: MediaJobRequest, more: Partial<NewMedia> = {}): NewMedia => ({
      ...newMedia(folder.path(), demo(), task),
      ...more,
    }),
    arm: (fault: string, endpoint: string, times = 1) =>
      demo().call('POST', '/_control/arm', { fault, endpoint, times }),
    calm: () => demo().call('POST', '/_control/reset', {}),
    asked,
  };
}
