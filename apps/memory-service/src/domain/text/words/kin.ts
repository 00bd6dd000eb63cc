/** Words for somebody's parents and grandparents that stand without "my": two speakers mean two persons by them. For expressions. */
export const KIN = 'mom|mum|mommy|mummy|mama|mamma|dad|daddy|papa|grandma|grandpa|granny|grandad|granddad';
