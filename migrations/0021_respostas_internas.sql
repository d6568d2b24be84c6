-- Answers of receivers inside private networks are shown to fewer people than those of public ones. Of answers that
-- are kept already nobody knows: they count as internal.
alter table entregas add column resposta_interna boolean not null default true;
