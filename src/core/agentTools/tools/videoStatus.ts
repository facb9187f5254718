import '../../api/jitless';
import * as z from 'zod/mini';
import { agentTool } from '../agentTool';
import { mediaAnswer } from '../mediaAnswer';
import { waitSeconds } from '../waitSeconds';

export const videoStatusTool = agentTool({
  name: 'inferenceDesk_videoStatus',
  title: 'Video Status',
  description:
    'Tells how an ordered video gets on, by the id that inferenceDesk_submitVideo returned, and the path of its file once it is done. Let it wait instead of asking again and again: "waitSeconds" of 60 to 300.',
  input: z.strictObject({
    id: z.string().check(z.minLength(1), z.maxLength(200), z.describe('As inferenceDesk_submitVideo returned it.')),
    waitSeconds,
  }),
  readOnly: true,
  costs: 'nothing',
  async run({ id, waitSeconds: seconds = 0 }, host, signal) {
    return mediaAnswer(await host.video(id, seconds * 1000, signal), 'The video');
  },
});
