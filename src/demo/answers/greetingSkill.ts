import { abilities } from './curated';
import type { Skill } from './skill';

export const greetingSkill: Skill = {
  name: 'greeting',
  fits: ({ ask, material }) =>
    material === '' &&
    /^\s*(hi|hello|hey|good (?:morning|evening|afternoon)|thanks?|thank you|你好|您好|嗨|谢谢|早上好|晚上好)[\s,!.，。！]*(?:there|all|everyone|a lot|大家)?[\s!.。！]*$/i.test(
      ask,
    ),
  write: ({ ask, say }) =>
    /thank|谢谢/i.test(ask)
      ? say('You’re welcome!', '不客气，随时接着问。')
      : say(
          `Hello! I am the demo service: I answer by rules, without a model. Try:\n\n${abilities[0]}`,
          `你好！我是演示服务，没有模型，按规则回答。可以试试：\n\n${abilities[1]}`,
        ),
};
