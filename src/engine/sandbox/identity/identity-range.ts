/** Numbers that systemd sets aside for users without an account (`DynamicUser=`); nothing else gives them out. */
export const identityRange = { first: 61_184, last: 65_519 } as const;
