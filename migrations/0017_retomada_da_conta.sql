-- Sessions end 90 days after their login; those of before get the same end.
update sessoes set expira_em = criado_em + interval '2160 hours' where expira_em > criado_em + interval '2160 hours';
