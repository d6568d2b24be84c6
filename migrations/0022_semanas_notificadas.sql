-- Weeks of notification of the country and of states, over all classifications: which years of a disease are covered. Fed by the
-- general queue; changes that are pending now come to both series with their roll-up.
insert into casos_contagens
select lugar, 'semana_notificacao', semana_de(inicio), tipo_agravo, '', '', sum(total), sum(hospitalizados), sum(obitos)
from casos_contagens where serie = 'dia'
group by lugar, semana_de(inicio), tipo_agravo
having sum(total) <> 0 or sum(hospitalizados) <> 0 or sum(obitos) <> 0
order by 1, 2, 3;
