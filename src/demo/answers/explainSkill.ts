import { abilities } from './curated';
import type { Question } from './question';
import type { Skill } from './skill';
import { salientSentences } from './summarySkill';
import { excerpt, linesOf, wordsOf } from './words';

function fromMaterial({ material, attachments, say }: Question): string {
  const name = attachments.find((item) => item.name !== undefined)?.name;
  const sentences = salientSentences(material, 2);
  const quoted =
    sentences.length > 0
      ? sentences
      : linesOf(material)
          .filter((line) => line.trim() !== '')
          .slice(0, 2);
  const lines = linesOf(material).length;
  return [
    say(
      `The text${name === undefined ? '' : ` \`${name}\``} has ${wordsOf(material).length} words in ${lines} line${lines === 1 ? '' : 's'}. Most of it turns on:`,
      `文本${name === undefined ? '' : ` \`${name}\` `}共 ${lines} 行、${wordsOf(material).length} 字，主要是：`,
    ),
    quoted.map((sentence) => `> ${excerpt(sentence, 240)}`).join('\n>\n'),
  ].join('\n\n');
}

const goesOn =
  /^\W*(?:and (?:then|now|so)|then|so|go on|continue|more|why|really|what else|ok(?:ay)?|and)\b.{0,12}$|^(?:然后|继续|还有|为什么)[呢吗?？。]*$/i;
const translates = /\btranslat|翻译/i;

/** The fallback if no other skill fits: says that this is a demonstration, and what it can do. */
export const explainSkill: Skill = {
  name: 'explain',
  fits: () => true,
  write: (question) => {
    const { say, ask, material, earlier, images } = question;
    const before = earlier.at(-1);
    const quote = excerpt(ask, 100);
    if (images > 0)
      return say(
        `You attached ${images === 1 ? 'a picture' : `${images} images`}. The demo service has no model and does not look into pictures; a model that sees can, once you sign in.`,
        `你附了 ${images} 张图片。演示服务没有模型，不会查看图片内容；登录后可以让能识图的模型来看。`,
      );
    if (goesOn.test(ask) && before !== undefined)
      return say(
        `That was all I have on “${excerpt(before, 80)}”. The demo service has no model and cannot go further into it.`,
        `关于“${excerpt(before, 60)}”，我知道的就是这些。演示服务没有模型，无法继续深入。`,
      );
    const honest = translates.test(ask)
      ? say(
          'I cannot translate: the demo service has no model. A real one can, once you sign in.',
          '我不能翻译：演示服务没有模型。登录后，真实模型可以翻译。',
        )
      : say(
          `I have no answer to “${quote}”: the demo service has no model, only rules and prepared texts. A real model can answer, once you sign in.`,
          `我无法回答“${quote}”：演示服务没有模型，只有规则和准备好的文字。登录后，真实模型可以回答。`,
        );
    return [
      honest,
      material === ''
        ? say(`What I can do:\n\n${abilities[0]}`, `我能做的：\n\n${abilities[1]}`)
        : fromMaterial(question),
    ].join('\n\n');
  },
};
