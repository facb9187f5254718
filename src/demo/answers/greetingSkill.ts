import type { Skill } from './skill';

export const greetingSkill: Skill = {
  name: 'greeting',
  fits: ({ ask, material }) =>
    material === '' &&
    /^\s*(hi|hello|hey|good (?:morning|evening|afternoon)|thanks?|thank you|你好|您好|嗨|谢谢|早上好|晚上好)[\s,!.，。！]*(?:there|all|everyone|大家)?[\s!.。！]*$/i.test(
      ask,
    ),
  write: ({ ask, say }) =>
    /thank|谢谢/i.test(ask)
      ? say('You are welcome. Ask on whenever you like.', '不客气，随时接着问。')
      : say(
          'Hello. I am the demo service: I answer by rules, from your own words. Try:\n\n- paste a text and ask for a summary, an outline or a word count\n- paste a list or CSV and ask for a table or JSON\n- ask for a small function in TypeScript or Python\n- ask for 500 words about something',
          '你好。我是演示服务，按规则处理你的原文。可以试试：\n\n- 贴一段文字，请我总结、列提纲或统计字数\n- 贴一个列表或 CSV，请我转成表格或 JSON\n- 请我写一个 TypeScript 或 Python 小函数\n- 请我写一篇 500 字的文章',
        ),
};
